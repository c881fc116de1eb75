import type { Comparison, GivenCode } from '../../gateway/otp/challenge';
import { compareCode } from '../../gateway/otp/challenge';
import type { OtpKeys } from '../../gateway/otp/code';
import { deriveOtpKeys } from '../../gateway/otp/code';
import { isEmpty } from '../../gateway/text/json';
import { requireKeys } from '../../n8n/connection';
import { readCountry } from '../fields/target';
import { readWhole } from '../fields/property';
import { Item } from '../run/item';
import { invalidItem } from '../run/item-errors';
import type { FailedItem, ItemResult } from '../run/item-result';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import * as fields from './fields';
import type { AttemptLimits } from './limits';
import { attemptLimits, slots, usedLimit } from './limits';

interface VerifyInput extends AttemptLimits {
  given: GivenCode;
}

export interface VerifyAnswer {
  valid: boolean;
  reason: 'ok' | 'wrong' | 'expired' | 'invalid' | 'used' | 'too_many_attempts' | 'number_limit';

  /** How many more wrong codes can be tried, by the chain or, where fewer are left, by the number. */
  attempts_left: number;
}

/**
 * Verifies the code of each item, one after the other. A wrong code gets an answer, and so does any text in place of a challenge, a
 * number or a code. An empty field is an error, since the workflow is wrong then, and not the person.
 * @returns one result for each item, in order
 * @throws NodeOperationError for a credential without an API key; for an expression or an option that can't be read and
 * for empty fields, where On Error is set to stop
 */
export async function verifyCodes(run: Run): Promise<ItemResult[]> {
  const keys = requireKeys(run.node, await run.connection(), deriveOtpKeys, 'Nothing was verified');
  const inputs = run.items.map((_, index) => readInput(run, keys, index));
  stopAtInvalidItems(run, inputs);
  const results: ItemResult[] = [];
  const hints = new Set<string>();
  for (const [index, input] of inputs.entries()) {
    if (!('given' in input)) {
      results.push(input);
      continue;
    }
    const compared = compareCode(keys, input.given, run.now());
    // The code may be right, but wasn't compared: the hint names the fault of the workflow.
    if (!('challenge' in compared)) hints.add(INVALID_HINTS[compared.is]);
    const answer = await answerCode(run, keys, compared, input);
    if ('error' in answer) {
      results.push(answer);
      continue;
    }
    // The number as the challenge has it, since people write a number in many ways.
    const json = { ...answer, ...('challenge' in compared && { phone: compared.challenge.phone }) };
    const result = { jsons: [json] };
    run.journal.record(index, result);
    results.push(result);
  }
  for (const text of hints) run.hints.push({ type: 'warning', text });
  return results;
}

const [CHALLENGE, PHONE] = [fields.VERIFIED_FIELDS.challenge.label, fields.VERIFIED_FIELDS.phone.label];
const INVALID_HINTS = {
  otherChallenge: `Not verified (invalid): '${CHALLENGE}' is not a challenge of this API key for this phone number, so the code was not compared. Take '${CHALLENGE}' and '${PHONE}' from the output of the node that sent the code.`,
  otherPurpose: `Not verified (invalid): the code was sent for another purpose, or by another workflow. Give Send and Verify the same text in the option '${fields.PURPOSE_OPTION.displayName}'.`,
};

function readInput(run: Run, keys: OtpKeys, index: number): VerifyInput | ItemResult {
  // A later try returns the answer of an earlier one: the code counts once.
  const earlier = run.journal.find(index)?.jsons;
  if (earlier) return { jsons: earlier };
  try {
    const { options, read } = new Item(run, index);
    const getOption = (name: string) => options[name];
    const [challenge, phone, code] = ['challenge', 'phone', 'code'].map((name) => read(name));
    const purpose = fields.readPurpose(keys, options, run);
    const given = { challenge, phone, code, purpose, home: readCountry(options) };
    const names = Object.keys(fields.VERIFIED_FIELDS) as Array<keyof typeof fields.VERIFIED_FIELDS>;
    const empty = names.find((name) => isEmpty(given[name]));
    if (empty) {
      const { label, drag } = fields.VERIFIED_FIELDS[empty];
      const error = { message: `'${label}' is empty`, description: `Nothing was verified. ${drag}` };
      // With On Error set to continue, the item goes on with the fields of a code that is not valid.
      return { error: { kind: 'input', ...error }, json: { ...answerOf('invalid') } };
    }
    const maxAttempts = readWhole(fields.MAX_ATTEMPTS, getOption);
    return { given, maxAttempts, maxWrong: readWhole(fields.MAX_ATTEMPTS_PER_NUMBER, getOption) };
  } catch (thrown) {
    return invalidItem(run, index, thrown);
  }
}

const answerOf = (reason: VerifyAnswer['reason'], left = 0): VerifyAnswer => ({
  valid: reason === 'ok',
  reason,
  attempts_left: left,
});

/**
 * Answers a code that was compared with its challenge. The attempt counts before the answer, right or wrong; a text that can't
 * be a code is no attempt. Returns the failure of the item where n8n's database can't be written to.
 */
export async function answerCode(
  run: Run,
  keys: OtpKeys,
  compared: Comparison,
  allowed: AttemptLimits,
): Promise<VerifyAnswer | FailedItem> {
  if (!('challenge' in compared)) return answerOf('invalid');
  if (compared.is === 'expired') return answerOf('expired');
  const now = run.now();
  const used = usedLimit(keys, compared.challenge);
  const { ofChallenge, ofNumber } = attemptLimits(run, keys, compared.challenge, allowed);
  const attempt = [ofChallenge, ofNumber];
  const full = slots.findFull([used, ...attempt], now);
  if (full) return answerOf(full.reason);
  if (compared.is !== 'notACode') {
    // A right code has to pass the limit of wrong codes too: otherwise a stranger could go on guessing beyond that limit.
    const passage = await slots.take(run, compared.is === 'right' ? [...attempt, used] : attempt);
    if (passage.is === 'failed') return passage.failure;
    if (passage.is === 'refused') return answerOf(passage.by.reason);
    if (compared.is === 'right') {
      // A right code doesn't count among the wrong codes of its number.
      const wrong = passage.slots.filter(({ name }) => name.startsWith(`${ofNumber.name} `));
      await slots.giveBack(run, wrong);
      return answerOf('ok');
    }
  }
  return answerOf('wrong', Math.min(...attempt.map((limit) => slots.left(limit, now))));
}
