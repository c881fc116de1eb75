import { readReply, replyEntries } from '../contract/callback';
import { CHANNELS } from '../contract/channels';
import { typedIdentifier } from '../contract/envelope';
import type { Outcome } from '../delivery/outcomes';
import { follows } from '../delivery/outcomes';
import { classify } from '../delivery/reports';
import { canonicalStatus, REFUSED_STATUS } from '../delivery/statuses';
import { isObject } from '../text/json';
import type { CallbackEvent } from './parse';

/**
 * What the gateway's own answer means for a callback: it says the same or something later (`confirmed`), it doesn't
 * contradict, but can't show what the callback says (`unconfirmed`), or it says something else, or nothing
 * (`contradicted`).
 */
export type Confirmation = 'confirmed' | 'unconfirmed' | 'contradicted';

/** What the gateway's answer makes of a callback: how far it confirms it, and what is left of it. */
export interface Compared {
  confirmation: Confirmation;

  /** The event with what the answer has too. A digit and replies that it lacks are left in it, and make it unconfirmed. */
  event: CallbackEvent;
}

/**
 * Compares a callback with the payload of `status` for the same message. Its status must be that of the callback or a
 * later one, and `msg_id`, `request_id` and `type` must agree where the payload has them. The same status is unconfirmed where
 * `success` gives it another meaning in the callback. A digit and replies are confirmed by a payload that has them,
 * contradicted by one that has others, and unconfirmed where it has none. All other fields are those of the payload, or left
 * out: whoever can call the trigger could have written them.
 * Source: gateway-api.md, "Asking for a status" and "Statuses". The payload isn't described there: only `status` counts.
 */
export function compareReport(event: CallbackEvent, payload: unknown): Compared {
  if (!isObject(payload) || typeof payload.status !== 'string')
    return { confirmation: 'contradicted', event };
  const { replies, reply, status, type } = payload;
  const isLater = follows(statusOutcome(event), classify({ status, type, replies }).outcome);
  const isSame = canonicalStatus(status) !== '' && canonicalStatus(status) === canonicalStatus(event.status);
  const isOther = IDENTIFIERS.some((name) => differ(payload[name], event[name]));
  if ((!isLater && !isSame) || isOther || (isSame && isOtherChannel(event.type, type))) {
    return { confirmation: 'contradicted', event };
  }
  const answers = readReplies(event, replies);
  const verdicts = [
    // The same word, which means something else with the callback's `success`: nothing shows that.
    isLater ? 'confirmed' : 'unconfirmed',
    digitVerdict(event, reply),
    ...answers.map(({ verdict }) => verdict),
  ];
  const worstFirst = ['contradicted', 'unconfirmed'] as const;
  const confirmation = worstFirst.find((verdict) => verdicts.includes(verdict)) ?? 'confirmed';
  const said = {
    ...pick(event, MEANING),
    ...pick(
      event,
      IDENTIFIERS.filter((name) => !isAbsent(payload[name])),
    ),
    ...(isChannelOf(type, event.type) && { type: event.type }),
    ...(isSame ? pick(payload, DETAILS) : {}),
    ...(isAbsent(event.reply) ? {} : { reply: event.reply }),
    ...(answers.length > 0 && { replies: answers.map(({ entry }) => entry) }),
  };
  return { confirmation, event: said as CallbackEvent };
}

/** Returns what the contract has of a callback that the gateway could not be asked about: unknown fields prove nothing. */
export const contractPart = (event: CallbackEvent): CallbackEvent =>
  pick(event, [...MEANING, ...IDENTIFIERS, 'type', ...DETAILS]) as CallbackEvent;

/** What a comparison is about. */
const MEANING = ['success', 'id', 'status', 'outcome', 'final', 'arrived'];
const IDENTIFIERS = ['msg_id', 'request_id'];
const DETAILS = ['error', 'updated', 'duration'];

const pick = (fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));

const differ = (known: unknown, given: unknown): boolean =>
  !isAbsent(known) && !isAbsent(given) && String(typedIdentifier(known)) !== String(given);

const wordOf = (type: unknown): string => (typeof type === 'string' ? type.trim().toLowerCase() : '');

/** Whether the type of a payload, such as `viber+sms`, names this channel. */
const isChannelOf = (type: unknown, channel: unknown): boolean =>
  wordOf(channel) !== '' && [wordOf(type), ...wordOf(type).split('+')].includes(wordOf(channel));

/** Whether two words name different channels; words that name none say nothing. */
const isOtherChannel = (a: unknown, b: unknown): boolean =>
  [a, b].every((type) => Object.hasOwn(CHANNELS, wordOf(type))) && wordOf(a) !== wordOf(b);

/**
 * Whether a callback reports that the gateway refused a send: `status` may not know such a message, since nothing was
 * sent (gateway-api.md, "Callbacks", and "Refusals").
 */
export const isRefusal = ({ outcome, status }: CallbackEvent): boolean =>
  outcome === 'failed' && canonicalStatus(status) === REFUSED_STATUS;

/** The outcome of an event without its replies, which outweigh the status that they come with. */
const statusOutcome = ({ outcome, status }: CallbackEvent): Outcome =>
  outcome === 'replied' ? classify({ status }).outcome : outcome;

/** Forms write an absent value as an empty string. */
const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

function digitVerdict({ reply }: CallbackEvent, known: unknown): Confirmation {
  if (isAbsent(reply)) return 'confirmed';
  if (isAbsent(known)) return 'unconfirmed';
  return String(known) === reply ? 'confirmed' : 'contradicted';
}

/** What the payload says of each reply of an event, and the reply as the payload has it where it does. */
function readReplies(
  event: CallbackEvent,
  payload: unknown,
): Array<{ verdict: Confirmation; entry: unknown }> {
  const known = replyEntries(payload).map((entry) => ({ entry, read: readReply(entry) ?? {} }));
  return replyEntries(event.replies).map((entry) => {
    const reply = readReply(entry) ?? {};
    if (known.length === 0) return { verdict: 'unconfirmed', entry: reply };
    const sameText = known.filter(({ read }) => (read.message ?? '') === (reply.message ?? ''));
    const url = reply.media?.url;
    const same = sameText.filter(({ read }) => !url || read.media?.url === url);
    const [first] = [...same.filter(({ read }) => read.datetime === reply.datetime), ...same];
    if (first) return { verdict: 'confirmed', entry: first.entry };
    const listsNone = sameText.length > 0 && sameText.every(({ read }) => isAbsent(read.media?.url));
    return { verdict: listsNone ? 'unconfirmed' : 'contradicted', entry: reply };
  });
}
