import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Holder, QuestionIdentity } from '../../gateway/keys/question';
import { canBeSecret, equalSecrets, questionSecret } from '../../gateway/keys/question';
import { addressSecrets, signedAddress } from '../suspend/address';

/** The place of the link in the text. */
export const LINK_MARK = '{link}';

/** The text with one link: at the first mark, or at the end without any. */
export function withLink(text: string, link: string): string {
  const [start, ...rest] = text.split(LINK_MARK);
  return rest.length === 0 ? `${start.trimEnd()} ${link}`.trimStart() : `${start}${link}${rest.join('')}`;
}

/** The text where the link is somewhere else: on a button, or on the page itself. */
export const withoutLink = (text: string): string =>
  text
    .split(LINK_MARK)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');

/** Name of the parameter of an address that holds the secret of who calls. */
const PARAMETER = 'k';

/** Who calls: the recipient with this index, or the gateway. */
export type Caller = { recipient: number } | 'gateway';

/** The addresses of one question: each holds a secret of its own, which n8n's signature covers but can't replace. */
export interface QuestionLinks {
  of(holder: Holder): string;

  /** What in an address of this question only its holder may see. */
  secretsIn(address: string): string[];
}

/** Returns what makes the links of a question. The secret in a link tells who calls, and n8n's signature nothing. */
export const linksFor = (
  context: IExecuteFunctions,
  key: Buffer,
  identity: QuestionIdentity,
): QuestionLinks => ({
  of: (holder) => signedAddress(context, { [PARAMETER]: questionSecret(key, identity, holder, 'open') }),
  secretsIn: (address) => [
    ...addressSecrets(address),
    ...Array.from(new URL(address).searchParams.getAll(PARAMETER)),
  ],
});

/** Makes addresses that have the length of real ones and open nothing, for Check Only. */
export const placeholdersFor = (context: IExecuteFunctions): QuestionLinks => ({
  of: () =>
    signedAddress(context, { [PARAMETER]: 'x'.repeat(16) }).replace(/(?<=signature=).*$/, (signature) =>
      'x'.repeat(signature.length),
    ),
  secretsIn: () => [],
});

/** Whether the query of an address holds what could be a secret. */
export const canOpen = ({ [PARAMETER]: given }: IDataObject): boolean => canBeSecret(given);

/** What the webhook knows of the question of a sleeping execution. */
export interface AskedQuestion {
  key: Buffer;
  identity: QuestionIdentity;
  phones: readonly number[];
}

/** Returns who calls, by the secret in the query of an address; undefined for nobody who was asked. */
export function callerOf({ key, identity, phones }: AskedQuestion, query: IDataObject): Caller | undefined {
  const given = query[PARAMETER];
  const holds = (holder: Holder) => equalSecrets(questionSecret(key, identity, holder, 'open'), given);
  const recipient = phones.findIndex(holds);
  if (recipient !== -1) return { recipient };
  return holds('gateway') ? 'gateway' : undefined;
}
