import type { Comparison, GivenCode } from '../../gateway/otp/challenge';
import { compareCode } from '../../gateway/otp/challenge';
import type { OtpKeys } from '../../gateway/otp/keys';
import { asEntries } from '../../gateway/text/json';
import { readCountry } from '../fields/target';
import { readWhole } from '../fields/property';
import { Item } from '../run/item';
import { invalidItem } from '../run/item-errors';
import type { ItemResult } from '../run/item-result';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import type { AttemptLimits } from './attempts';
import { answerCode, answerOf } from './attempts';
import {
  MAX_ATTEMPTS,
  MAX_ATTEMPTS_PER_NUMBER,
  PURPOSE_OPTION,
  readPurpose,
  VERIFIED_FIELDS,
} from './fields';
import { accountKeys } from './record';

interface VerifyInput extends AttemptLimits {
  given: GivenCode;
}

/**
 * Verifies the code of each item, one after the other. A wrong code is an answer, and so is anything else in place of a
 * challenge, a number or a code. An empty field is an error: the workflow is wrong then, and not the person.
 * @returns one result for each item, in order
 * @throws NodeOperationError for a credential without an API key; for an expression or an option that can't be read and
 * for empty fields, where On Error is set to stop
 */
export async function verifyCodes(run: Run): Promise<ItemResult[]> {
  const keys = await accountKeys(run);
  const inputs = run.items.map((_, index) => readInput(run, keys, index));
  stopAtInvalidItems(run, inputs);
  const results: ItemResult[] = [];
  const invalid = new Set<'challenge' | 'purpose'>();
  for (const [index, input] of inputs.entries()) {
    if (!('given' in input)) {
      results.push(input);
      continue;
    }
    const compared = compareCode(keys, input.given, run.now());
    if (compared.kind === 'invalid') invalid.add(compared.isOtherPurpose ? 'purpose' : 'challenge');
    results.push(await verifyItem(run, keys, index, { ...input, compared }));
  }
  for (const what of invalid) {
    // A person may well have typed the right code.
    run.notes.push({ type: 'warning', text: INVALID_HINTS[what] });
  }
  return results;
}

const [CHALLENGE, PHONE] = [VERIFIED_FIELDS.challenge.label, VERIFIED_FIELDS.phone.label];
const INVALID_HINTS = {
  challenge: `Not verified (invalid): '${CHALLENGE}' is not a challenge of this API key for this phone number, so the code was not compared. Take '${CHALLENGE}' and '${PHONE}' from the output of the node that sent the code.`,
  purpose: `Not verified (invalid): the code was sent for another purpose, so it was not compared. Without the option '${PURPOSE_OPTION.displayName}', a code is for the workflow that sent it. Set the option to the same text in Send and Verify where a code is verified in another workflow.`,
};

function readInput(run: Run, keys: OtpKeys, index: number): VerifyInput | ItemResult {
  // An answer of an earlier try is given again, and not counted.
  const earlier = run.journal.find(index)?.jsons;
  if (earlier) return { jsons: earlier };
  try {
    const { options, read } = new Item(run, index);
    const getOption = (name: string) => options[name];
    const [challenge, phone, code] = ['challenge', 'phone', 'code'].map((name) => read(name));
    const purpose = readPurpose(keys, options, run);
    const given = { challenge, phone, code, purpose, home: readCountry(options) };
    const names = Object.keys(VERIFIED_FIELDS) as Array<keyof typeof VERIFIED_FIELDS>;
    const empty = names.find((name) => asEntries(given[name]).length === 0);
    if (empty) {
      const { label, drag } = VERIFIED_FIELDS[empty];
      const error = { message: `'${label}' is empty`, description: `Nothing was verified. ${drag}` };
      // Where On Error is set to continue, the item goes on like one that is not valid.
      return { error: { kind: 'input', ...error }, json: { ...answerOf('invalid') } };
    }
    const most = readWhole(MAX_ATTEMPTS, getOption);
    return { given, most, mostWrong: readWhole(MAX_ATTEMPTS_PER_NUMBER, getOption) };
  } catch (thrown) {
    return invalidItem(run, index, thrown);
  }
}

async function verifyItem(
  run: Run,
  keys: OtpKeys,
  index: number,
  { compared, most, mostWrong }: VerifyInput & { compared: Comparison },
): Promise<ItemResult> {
  const answered = await answerCode(run, keys, compared, { most, mostWrong });
  if ('error' in answered) return answered;
  // The number as the gateway got it, and not as it was typed this time: one number has many notations.
  const answer = { ...answered, ...(compared.kind !== 'invalid' && { phone: compared.challenge.phone }) };
  const result = { jsons: [answer] };
  run.journal.record(index, result);
  return result;
}
