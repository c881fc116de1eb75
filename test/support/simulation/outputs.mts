/** What the node passes on: one output for each item, in its place, with its id or its error. */
import type { Evidence } from './evidence.mts';
import { keyOf, stateOf } from './evidence.mts';
import type { NodeRun, Try } from './n8n.mts';
import type { Violation } from './outcome.mts';
import { isInvalid } from './scenario.mts';

/** n8n passes an item on by the error output when its json has no other fields. */
const ERROR_FIELDS = ['error', 'message', 'details'];

export function outputViolations(evidence: Evidence, run: NodeRun): Violation[] {
  return run.tries.flatMap((outcome, attempt) =>
    faultsOf(evidence, run, outcome).map((words) => ({
      invariant: 'output',
      words: `try ${attempt + 1}: ${words}`,
    })),
  );
}

function faultsOf(
  evidence: Evidence,
  { plan: { items: inputs, node }, origin }: NodeRun,
  outcome: Try,
): string[] {
  const { results, items, error, requests } = outcome;
  const stops = node.onError === 'stopWorkflow';
  if (!results) {
    const mayFail =
      stops && (inputs.some(isInvalid) || hasRepeatedId(inputs.map(({ messageId }) => messageId)));
    return [
      ...(mayFail ? [] : [`the run failed: ${error?.message}`]),
      ...(requests[0] === requests[1] ? [] : ['requests left although an item is invalid']),
    ];
  }
  const faults: string[] = [];
  if (results.length !== inputs.length) faults.push(`${results.length} results for ${inputs.length} items`);
  const hasFailed = results.some((result) => 'error' in result);
  if (stops && hasFailed) {
    if (!error) faults.push('an item failed, and the run did not');
    const accepted = error?.context?.accepted as Array<{ item: number; id: unknown }> | undefined;
    const listed = new Set((accepted ?? []).map(({ item }) => item));
    results.forEach((result, item) => {
      if (listed.has(item) === 'error' in result)
        faults.push(`the error lists accepted items, and ${item} wrongly`);
    });
    return faults;
  }
  if (!items) return [...faults, `the run failed: ${error?.message}`];
  if (items.length !== inputs.length)
    return [...faults, `${items.length} outputs for ${inputs.length} items`];
  items.forEach(({ json, pairedItem }, index) => {
    const result = results[index];
    const { phone } = inputs[index];
    const at = `output ${index}`;
    if ((pairedItem as { item?: number } | undefined)?.item !== index)
      faults.push(`${at} is paired with another item`);
    const isError = json.error !== undefined;
    if (isError !== 'error' in result)
      faults.push(`${at} is ${stateOf(result)}, its error ${String(json.error)}`);
    const [sent] = evidence.sends.get(keyOf(origin.lineage, phone)) ?? [];
    const fields = ((isError && node.onError === 'continueErrorOutput' ? json.details : json) ??
      {}) as Record<string, unknown>;
    if (isError) {
      const goesToErrors = Object.keys(json).every((key) => ERROR_FIELDS.includes(key));
      if (json.error === '' || json.message === '') faults.push(`${at} has an empty error`);
      if (node.onError === 'continueErrorOutput' && !goesToErrors)
        faults.push(`${at} leaves by the success output`);
    } else if (fields.phone !== Number(phone))
      faults.push(`${at} has the phone number ${String(fields.phone)}`);
    if (isError && fields.id === undefined) return;
    // What never left was not accepted, which is checked elsewhere.
    if (sent && String(fields.id) !== sent.id)
      faults.push(`${at} has the id ${String(fields.id)}, not ${sent.id}`);
    if (fields.msg_id !== undefined && String(fields.msg_id) !== `9${String(fields.id)}`) {
      faults.push(`${at} has the message number of another one: ${String(fields.msg_id)}`);
    }
  });
  return faults;
}

function hasRepeatedId(ids: Array<number | undefined>): boolean {
  const given = ids.filter((id) => id !== undefined);
  return new Set(given).size < given.length;
}
