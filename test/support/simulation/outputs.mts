/** What the node passes on: one output for each item, in its place, with its id or its error. */
import type { Evidence } from './evidence.mts';
import { keyOf, stateOf } from './evidence.mts';
import type { NodeRun, Try } from './n8n.mts';
import type { Check } from './outcome.mts';
import { isInvalid } from './scenario.mts';

/** n8n passes an item on by the error output when its json has no other fields. */
const ERROR_FIELDS = ['error', 'message', 'details'];

export function judgeOutput(evidence: Evidence, run: NodeRun, check: Check): void {
  for (const [attempt, outcome] of run.tries.entries()) {
    judgeTry(evidence, run, outcome, (holds, words) =>
      check('output', holds, `try ${attempt + 1}: ${words}`),
    );
  }
}

function judgeTry(
  evidence: Evidence,
  { plan: { items: inputs, node }, origin }: NodeRun,
  outcome: Try,
  note: (holds: boolean, words: string) => void,
): void {
  const { results, error, requests } = outcome;
  // What it passes on when it wakes, where it sleeps.
  const items = outcome.asleepUntil === undefined ? outcome.items : outcome.entry.data.main?.[0];
  const stops = node.onError === 'stopWorkflow';
  // While it waits, it fails for the first item that did.
  if (!results && node.waits && stops && error?.context !== undefined) return;
  if (!results) {
    // Nobody is asked whose number is none.
    const mayFail =
      (stops || outcome.items !== undefined) &&
      (inputs.some(isInvalid) || hasRepeatedId(inputs.map(({ messageId }) => messageId)));
    note(mayFail, `the run failed: ${error?.message}`);
    return note(requests[0] === requests[1], 'requests left although an item is invalid');
  }
  note(results.length === inputs.length, `${results.length} results for ${inputs.length} items`);
  const hasFailed = results.some((result) => 'error' in result);
  if (stops && hasFailed) {
    note(error !== undefined, 'an item failed, and the run did not');
    const accepted = error?.context?.accepted as Array<{ item: number; id: unknown }> | undefined;
    const listed = new Set((accepted ?? []).map(({ item }) => item));
    results.forEach((result, item) => {
      const isListed = listed.has(item);
      note(isListed !== 'error' in result, `the error lists accepted items, and ${item} wrongly`);
    });
    return;
  }
  if (!items) return note(false, `the run failed: ${error?.message}`);
  if (items.length !== inputs.length) {
    return note(false, `${items.length} outputs for ${inputs.length} items`);
  }
  // What n8n shows of a question while its execution sleeps is shown elsewhere.
  if (node.operation === 'sendAndWait' && outcome.asleepUntil !== undefined) return;
  items.forEach(({ json, pairedItem }, index) => {
    const result = results[index];
    const { phone } = inputs[index];
    const at = `output ${index}`;
    const paired = pairedItem as { item?: number } | undefined;
    note(paired?.item === index, `${at} is paired with another item`);
    // What was taken and didn't arrive has the gateway's reason.
    const isError = json.error !== undefined && ('error' in result || json.outcome !== 'failed');
    note(isError === 'error' in result, `${at} is ${stateOf(result)}, its error ${String(json.error)}`);
    const [sent] = evidence.sends.get(keyOf(origin.lineage, phone)) ?? [];
    const hasErrorOutput = isError && node.onError === 'continueErrorOutput';
    const fields = ((hasErrorOutput ? json.details : json) ?? {}) as Record<string, unknown>;
    const goesToErrors = Object.keys(json).every((key) => ERROR_FIELDS.includes(key));
    note(!isError || (json.error !== '' && json.message !== ''), `${at} has an empty error`);
    note(!hasErrorOutput || goesToErrors, `${at} leaves by the success output`);
    const isSent = isError || fields.phone === Number(phone);
    note(isSent, `${at} has the phone number ${String(fields.phone)}`);
    if (isError && fields.id === undefined) return;
    // What never left was not accepted, which is checked elsewhere.
    note(!sent || String(fields.id) === sent.id, `${at} has the id ${String(fields.id)}, not ${sent?.id}`);
    // Where digits of it are those of the code, they are hidden.
    const isHidden = node.operation === 'send' && String(fields.msg_id).includes('*');
    // `status` may name any number for what it doesn't know yet, which nobody can tell from one that it knows.
    const isAny = node.waits && evidence.scenario.gateway.status.absence.messageId === 'random';
    const isOwn =
      isAny || fields.msg_id === undefined || isHidden || String(fields.msg_id) === `9${String(fields.id)}`;
    note(isOwn, `${at} has the message number of another one: ${String(fields.msg_id)}`);
  });
}

function hasRepeatedId(ids: Array<number | undefined>): boolean {
  const given = ids.filter((id) => id !== undefined);
  return new Set(given).size < given.length;
}
