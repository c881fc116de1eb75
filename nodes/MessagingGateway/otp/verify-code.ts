import type { IDataObject } from 'n8n-workflow';

import { OTP_DIGITS } from '../../gateway/contract/limits';
import { typedCode } from '../../gateway/otp/code';
import type { OtpKeys } from '../../gateway/otp/keys';
import type { VerifyReason } from '../../gateway/otp/verify';
import { compareCode } from '../../gateway/otp/verify';
import type { ItemResult } from '../run/item-result';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import { countAttempt } from './attempts';
import { MAX_ATTEMPTS, readNumberOption } from './fields';
import { unrecorded } from './refusals';

/** What an item is verified with. */
interface Input {
  challenge: unknown;
  phone: unknown;
  code: unknown;
  most: number;
}

/**
 * Verifies the code of each item, one after the other. A wrong code is an answer, and so is anything else in place of a
 * challenge, a number or a code.
 *
 * @returns one result for each item, in order
 * @throws NodeOperationError for an expression or an option that can't be read, where On Error is set to stop
 */
export async function verifyCodes(run: Run): Promise<ItemResult[]> {
  const { otpKeys } = await run.connection();
  const keys = otpKeys();
  const inputs = run.items.map((_, index) => prepareInput(run, index));
  stopAtInvalidItems(run, (index) => {
    const input = inputs[index];
    return 'challenge' in input ? undefined : input;
  });
  const results: ItemResult[] = [];
  for (const [index, input] of inputs.entries()) {
    results.push('challenge' in input ? await verifyItem(run, keys, index, input) : input);
  }
  return results;
}

function prepareInput(run: Run, index: number): Input | ItemResult {
  // What an earlier try answered is answered again, and not counted.
  const earlier = run.journal.find(index)?.jsons;
  if (earlier) return { jsons: earlier };
  try {
    const read = (name: string) => run.read(name, index);
    const options = run.options(index);
    return {
      challenge: read('challenge'),
      phone: read('phone'),
      code: read('code'),
      most: readNumberOption(MAX_ATTEMPTS, (name) => options[name]),
    };
  } catch (thrown) {
    return run.invalid(thrown);
  }
}

async function verifyItem(run: Run, keys: OtpKeys, index: number, input: Input): Promise<ItemResult> {
  const { most, ...given } = input;
  const compared = compareCode(keys, given, run.now());
  let answer: IDataObject;
  if (compared.kind === 'compared') {
    try {
      const { reason, attemptsLeft } = await countAttempt(run, keys, { ...compared, most });
      answer = answerOf(reason, attemptsLeft);
    } catch (thrown) {
      return unrecorded(thrown, 'The code was not verified, and the attempt does not count.');
    }
  } else {
    answer = answerOf(compared.kind, 0);
  }
  const result = { jsons: [answer] };
  run.journal.record(index, result);
  forgetCode(run.items[index].json, input.code);
  return result;
}

const answerOf = (reason: VerifyReason, attemptsLeft: number): IDataObject => ({
  valid: reason === 'ok',
  reason,
  attempts_left: attemptsLeft,
});

const FORGOTTEN = '[code]';

/**
 * Replaces the typed code in the input of the node. n8n saves what a node got as the output of the node before it, so
 * a code that was typed into a form would be found in the execution.
 */
function forgetCode(json: IDataObject, code: unknown): void {
  const typed = typedCode(code, OTP_DIGITS.min);
  if (typed.length >= OTP_DIGITS.min) replaceIn(json, typed);
}

function replaceIn(holder: Record<string, unknown> | unknown[], typed: string): void {
  for (const [key, value] of Object.entries(holder)) {
    if (typeof value === 'object' && value !== null) replaceIn(value as Record<string, unknown>, typed);
    else if (typedCode(value, typed.length) === typed) (holder as Record<string, unknown>)[key] = FORGOTTEN;
  }
}
