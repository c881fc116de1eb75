import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { signedAddress } from '../sleeping/address';

/** The place of the link in the text. */
export const LINK_MARK = '{link}';

/** The text with the link where it is marked, or at the end. */
export const withLink = (text: string, link: string): string =>
  text.includes(LINK_MARK) ? text.split(LINK_MARK).join(link) : `${text.trimEnd()} ${link}`;

/** The text where the link is somewhere else: on a button, or on the page itself. */
export const withoutLink = (text: string): string =>
  text
    .split(LINK_MARK)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');

interface Caller {
  /** The run of the node that made the address: a node in a loop sleeps several times in one execution. */
  run: number;
  /** Index of the recipient; undefined for the gateway. */
  recipient?: number;
}

const PARAMETER = 'r';
const GATEWAY = 'g';

/**
 * Returns the signed address for a caller: one query parameter differs, which n8n's signature covers, so nobody can make
 * another's link out of theirs. It is left out where it can be, since an SMS is billed by its length.
 */
export function addressFor(context: IExecuteFunctions, { run, recipient }: Caller): string {
  const who = `${recipient ?? GATEWAY}${run === 0 ? '' : `.${run}`}`;
  return signedAddress(context, who === '0' ? {} : { [PARAMETER]: who });
}

/** Returns an address that has the length of the signed one and opens nothing, for Check Only. */
export const placeholderFor = (context: IExecuteFunctions, caller: Caller): string =>
  addressFor(context, caller).replace(/(?<=signature=).*$/, (signature) => 'x'.repeat(signature.length));

/** Returns who calls, from the query of an address whose signature n8n has checked; undefined if it isn't ours. */
export function callerOf({ [PARAMETER]: value = '0' }: IDataObject): Caller | undefined {
  if (typeof value !== 'string') return undefined;
  const [, who, run = '0'] = /^(g|\d{1,4})(?:\.(\d{1,6}))?$/.exec(value) ?? [];
  if (who === undefined) return undefined;
  return { run: Number(run), ...(who !== GATEWAY && { recipient: Number(who) }) };
}
