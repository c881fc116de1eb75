import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Holder, QuestionIdentity } from '../../gateway/keys/question';
import { canBeSecret, equalSecrets, questionSecret } from '../../gateway/keys/question';
import { addressSecrets } from '../../gateway/callback/address';
import { signedAddress } from '../suspend/sleep';

/** Name of the parameter of an address that holds the secret of who calls. */
const PARAMETER = 'k';

/** An address of a question, and the parts of it that only its holder may see. */
export interface QuestionLink {
  address: string;
  secrets: string[];
}

/**
 * Returns the function that makes the link of a holder. Its secret tells who calls; n8n's signature covers the secret and
 * can't replace it.
 */
export const linkMaker =
  (context: IExecuteFunctions, key: Buffer, identity: QuestionIdentity) =>
  (holder: Holder): QuestionLink => {
    const secret = questionSecret(key, identity, holder, 'open');
    const address = signedAddress(context, { [PARAMETER]: secret });
    return { address, secrets: [secret, ...addressSecrets(address)] };
  };

/** Whether the query of an address holds a text that could be a secret. */
export const canOpen = ({ [PARAMETER]: given }: IDataObject): boolean => canBeSecret(given);

/** Returns who calls, by the secret in the query of an address: one of `phones`, the gateway, or undefined for nobody. */
export function holderOf(
  key: Buffer,
  identity: QuestionIdentity,
  phones: readonly number[],
  { [PARAMETER]: given }: IDataObject,
): Holder | undefined {
  const holders: Holder[] = [...phones, 'gateway'];
  return holders.find((holder) => equalSecrets(questionSecret(key, identity, holder, 'open'), given));
}
