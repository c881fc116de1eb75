import type { IDataObject } from 'n8n-workflow';

import type { OtpKeys } from '../../gateway/otp/keys';
import type { VerifyReason } from '../../gateway/otp/verify';
import { compareCode } from '../../gateway/otp/verify';
import { showHint } from '../../n8n/engine';
import type { Country } from '../../gateway/contract/countries';
import { readCountry } from '../fields/country';
import { readWhole } from '../fields/whole-number';
import type { FailedItem, ItemResult } from '../run/item-result';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import { countAttempt } from './attempts';
import { MAX_ATTEMPTS, MAX_ATTEMPTS_PER_NUMBER, VERIFIED_FIELDS } from './fields';
import { accountKeys, unrecorded } from './refusals';

/** What an item is verified with. */
interface Input {
  given: Record<keyof typeof VERIFIED_FIELDS, unknown>;
  home?: Country;
  most: number;
  mostWrong: number;
}

/**
 * Verifies the code of each item, one after the other. A wrong code is an answer, and so is anything else in place of a
 * challenge, a number or a code; where one of them is empty, the workflow is wrong and not the person: that is an error.
 *
 * @returns one result for each item, in order
 * @throws NodeOperationError for a credential without an API key; for an expression or an option that can't be read and
 * for empty fields, where On Error is set to stop
 */
export async function verifyCodes(run: Run): Promise<ItemResult[]> {
  const keys = await accountKeys(run);
  const inputs = run.items.map((_, index) => prepareInput(run, index));
  stopAtInvalidItems(run, (index) => {
    const input = inputs[index];
    return 'given' in input ? undefined : input;
  });
  const results: ItemResult[] = [];
  for (const [index, input] of inputs.entries()) {
    results.push('given' in input ? await verifyItem(run, keys, index, input) : input);
  }
  explainInvalid(run, results);
  return results;
}

function prepareInput(run: Run, index: number): Input | ItemResult {
  // What an earlier try answered is answered again, and not counted.
  const earlier = run.journal.find(index)?.jsons;
  if (earlier) return { jsons: earlier };
  try {
    const options = run.options(index);
    const getOption = (name: string) => options[name];
    const given = { challenge: '', phone: '', code: '' } as Input['given'];
    for (const name of Object.keys(VERIFIED_FIELDS) as Array<keyof Input['given']>) {
      const value = run.read(name, index);
      if (isEmpty(value)) return emptyField(name);
      given[name] = value;
    }
    return {
      given,
      home: readCountry(options),
      most: readWhole(MAX_ATTEMPTS, getOption),
      mostWrong: readWhole(MAX_ATTEMPTS_PER_NUMBER, getOption),
    };
  } catch (thrown) {
    return run.invalid(thrown);
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Where On Error is set to continue, the item goes on like one that is not valid. */
function emptyField(name: keyof typeof VERIFIED_FIELDS): FailedItem {
  const { label, drag } = VERIFIED_FIELDS[name];
  return {
    error: {
      kind: 'input',
      message: `'${label}' is empty`,
      description: `Nothing was verified. ${drag}`,
    },
    json: answerOf('invalid', 0),
  };
}

async function verifyItem(run: Run, keys: OtpKeys, index: number, input: Input): Promise<ItemResult> {
  const { given, home, most, mostWrong } = input;
  const compared = compareCode(keys, { ...given, home }, run.now());
  let answer: IDataObject;
  if (compared.kind === 'compared') {
    try {
      const { reason, attemptsLeft } = await countAttempt(run, keys, { ...compared, most, mostWrong });
      answer = answerOf(reason, attemptsLeft);
    } catch (thrown) {
      return unrecorded(thrown, 'The code was not verified, and the attempt does not count.');
    }
  } else {
    answer = answerOf(compared.kind, 0);
  }
  // As the gateway got it, and not as it was typed this time: one number has many notations.
  if (compared.kind !== 'invalid') answer.phone = compared.challenge.phone;
  const result = { jsons: [answer] };
  run.journal.record(index, result);
  return result;
}

const answerOf = (reason: VerifyReason, attemptsLeft: number): IDataObject => ({
  valid: reason === 'ok',
  reason,
  attempts_left: attemptsLeft,
});

/** Says in the editor what `invalid` means, since a person may well have typed the right code. */
function explainInvalid({ context }: Run, results: readonly ItemResult[]): void {
  const isInvalid = results.some((result) => 'jsons' in result && result.jsons[0].reason === 'invalid');
  if (!isInvalid) return;
  const { challenge, phone } = VERIFIED_FIELDS;
  const message = `Not verified (invalid): '${challenge.label}' is not a challenge of this API key for this phone number, so the code was not compared. Take '${challenge.label}' and '${phone.label}' from the output of the node that sent the code.`;
  showHint(context, { message, type: 'warning', location: 'outputPane' });
}
