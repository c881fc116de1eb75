import { triggerIn } from './address';
import type { WireType } from '../contract/operations';
import { isFallbackType } from '../contract/operations';
import { deriveKey, openSeal, sealText } from '../keys/seal';
import { SEAL_MARK } from '../text/secrets';

/** The user's own values, which a message carries in its callback address and its callbacks bring back. */
export type CallbackFields = Record<string, string | number | boolean>;

/** The facts about a message in its callback address, for the trigger alone. */
export interface MessageFacts {
  phone: number;

  /** The operation type of the send. */
  sentAs: WireType;
  fields: CallbackFields;
}

/** Derives the key of all seals of an account from its API key, which must not be empty. */
export const deriveCallbackKey = (apiKey: string): Buffer => deriveKey(apiKey, 'callback v1 seal');

/** The query parameter of a callback address that holds the seal. */
export const SEAL_PARAMETER = 'seal';

/** The query parameter of a callback address that holds the operation type of the send, unsealed. */
export const SENT_AS_PARAMETER = 'sent_as';

/** The message, and the trigger whose address carries the facts, by the id that `triggerIn` returns. */
export interface SealedFor {
  id: number | string;
  trigger: string;
}

/** Returns the text to which the facts are bound, so that they open for this message and in this trigger alone. */
const boundTo = ({ id, trigger }: SealedFor): string => `${SEAL_MARK}${id} ${trigger.toLowerCase()}`;

/**
 * Seals the facts about a message: encrypted and authenticated, so that nobody without the key can read or change them, and bound to
 * the `id` of the message and to the trigger. Returns a text that stands in an address as it is.
 */
export const sealFacts = (
  key: Buffer,
  sealedFor: SealedFor,
  { phone, sentAs, fields }: MessageFacts,
): string => `${SEAL_MARK}${sealText(key, JSON.stringify([phone, sentAs, fields]), boundTo(sealedFor))}`;

/**
 * Returns the callback address of a message with the sealed facts. The type of a send with fallback is also there unsealed, for a
 * trigger that can't open the seal: a callback names only the channel that reports, and without the type, its failure would look
 * final. The rest of the address stays as it is: somebody may have signed its text.
 */
export function withFacts(url: string, key: Buffer, id: number | string, facts: MessageFacts): string {
  const { sentAs } = facts;
  const added = [
    ...(isFallbackType(sentAs) ? [`${SENT_AS_PARAMETER}=${encodeURIComponent(sentAs)}`] : []),
    `${SEAL_PARAMETER}=${sealFacts(key, { id, trigger: triggerIn(url) }, facts)}`,
  ].join('&');
  const [address, ...fragment] = url.split('#');
  return [`${address}${address.includes('?') ? '&' : '?'}${added}`, ...fragment].join('#');
}

/**
 * Opens a seal for the message that a callback names, in the trigger that was called; undefined for what wasn't sealed with the same
 * key, was changed or cut off since, or belongs to another message or to another trigger. Takes any input and never throws.
 */
export function openFacts(key: Buffer, sealedFor: SealedFor, seal: unknown): MessageFacts | undefined {
  if (typeof seal !== 'string' || !seal.startsWith(SEAL_MARK)) return undefined;
  const plain = openSeal(key, seal.slice(SEAL_MARK.length), boundTo(sealedFor));
  if (plain === undefined) return undefined;
  // Nobody but `sealFacts` has the key, so the text is a list that `sealFacts` wrote.
  const [phone, sentAs, fields] = JSON.parse(plain) as [number, WireType, CallbackFields];
  return { phone, sentAs, fields };
}
