/** Wrong versions of single rules of the node, each of which the simulation has to catch. */
import type { Simulate, Violation } from './outcome.mts';
import type { SourceChange } from './product.mts';
import { loadProduct } from './product.mts';
import { simulate } from './simulate.mts';

export interface Mutant extends SourceChange {
  /** What the node does wrong. */
  name: string;
}

const SENDER = 'gateway/client/sender.ts';
const PARKING = 'gateway/client/parking.ts';
const ANSWER = 'gateway/client/read-answer.ts';
const STATUS = 'gateway/client/status-check.ts';
const SEND = 'MessagingGateway/sending/send.ts';
const PREPARE = 'MessagingGateway/sending/prepare.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'sends again at once what status does not know',
    file: PARKING,
    find: "    if (!isSettled) return { kind: 'wait' };\n    const { doubt } = entry;",
    replace: '    const { doubt } = entry;',
  },
  {
    name: 'counts the settling time from the answer',
    file: SENDER,
    find: '      const leftAt = now();\n      const verdict = judge(endpoint, await transport(endpoint, operations), operations);',
    replace:
      '      const verdict = judge(endpoint, await transport(endpoint, operations), operations);\n      const leftAt = now();',
  },
  {
    name: 'takes a late request for a lost one',
    file: PARKING,
    find: "doubt?.kind === 'lost' && ",
    replace: '',
  },
  {
    name: 'takes 504 for a lost request',
    file: ANSWER,
    find: 'return unclear(problem, true);',
    replace: 'return unclear(problem);',
  },
  {
    name: 'takes a time-out for a lost request',
    file: ANSWER,
    find: "unclear(problem, problem.kind === 'timeout')",
    replace: 'unclear(problem)',
  },
  {
    name: 'forgets that it sent again',
    file: SENDER,
    find: '      ...((earlier?.resent ?? doubt.resent) && { resent: true }),\n',
    replace: '',
  },
  {
    name: 'lets a later request weaken an earlier late one',
    file: SENDER,
    find: "earlier?.kind === 'late' ? 'late' : doubt.kind",
    replace: "'lost'",
  },
  {
    name: 'believes the words of a 5xx',
    file: ANSWER,
    find: 'if (status >= 500) return unclear(problem);',
    replace:
      'if (status >= 500) return refusal === undefined ? unclear(problem) : refused(refusal, retryAfter);',
  },
  {
    name: 'takes a lost connection for one that never was',
    file: ANSWER,
    find: 'return mayHaveArrived ?',
    replace: "return problem.kind === 'timeout' ?",
  },
  {
    name: "believes that a gateway's own fault is a refusal of the operation",
    file: SENDER,
    find: "policy.retry === 'afterStatusCheck' && this.settings.recovery !== 'repeat'",
    replace: 'false',
  },
  {
    name: "believes that a gateway's own fault is a refusal of the request",
    file: ANSWER,
    find: "return retry === 'afterStatusCheck' ? unclear(problem) : { kind: 'refused', problem };",
    replace: "return { kind: 'refused', problem };",
  },
  {
    name: 'calls every duplicate accepted',
    file: SENDER,
    find: "if (entry.doubt) return this.tools.record(entry, { state: 'accepted', payload });",
    replace: "return this.tools.record(entry, { state: 'accepted', payload });",
  },
  {
    name: 'does not mark a message of an earlier execution',
    file: PARKING,
    find: '...(isDuplicate && { duplicate: true })',
    replace: '',
  },
  {
    name: 'forgets its doubts between two tries',
    file: SEND,
    find: "if (result.state === 'unknown') run.journal.record(index, { sent, doubt: result.doubt });\n  else run.journal.forget(index);",
    replace: 'run.journal.forget(index);',
  },
  {
    name: 'does not look for doubts of an earlier try',
    file: PREPARE,
    find: '      if (earlier?.doubt) pending.doubt = earlier.doubt;\n',
    replace: '',
  },
  {
    name: 'sends again in a later try what was accepted',
    file: PREPARE,
    find: '    if (earlier?.jsons) return { jsons: earlier.jsons };\n',
    replace: '',
  },
  {
    name: 'keeps nothing of what was accepted',
    file: SEND,
    find: '    run.journal.record(index, done);\n',
    replace: '',
  },
  {
    name: 'keeps the texts of messages',
    file: SEND,
    find: 'const sent: SentOperation = { id, type, phone };',
    replace: 'const sent = { ...operation };',
  },
  {
    name: 'turns doubt into not sent when it gives up',
    file: SENDER,
    find: "doubt ? { state: 'unknown', problem, doubt } : { state: 'notSent', problem }",
    replace: "{ state: 'notSent', problem }",
  },
  {
    name: 'matches results by position whatever their ids',
    file: ANSWER,
    find: 'if (items.every((item, i) => idFits(item, operations[i]))) return items;',
    replace: 'return items;',
  },
  {
    name: 'believes an answer of another length',
    file: ANSWER,
    find: 'if (data.length !== operations.length) {',
    replace: 'if (data.length < operations.length) {',
  },
  {
    name: 'shrinks the batch after every refusal',
    file: SENDER,
    find: "        case 'refused':\n",
    replace: "        case 'refused':\n          this.batchSize.tooLarge(batch.length);\n",
  },
  {
    name: 'does not shrink a batch that is too large',
    file: SENDER,
    find: '          this.batchSize.tooLarge(batch.length);\n',
    replace: '',
  },
  {
    name: 'halves a batch that is too large, whatever is known by then',
    file: SENDER,
    find: 'await this.deliver(batch.splice(0, this.batchSize.current));',
    replace: 'await this.deliver(batch.splice(0, Math.ceil(batch.length / 2)));',
  },
  {
    name: 'never grows an automatic batch',
    file: 'gateway/client/batch-size.ts',
    find: 'Math.min(2 * this.size, this.largest)',
    replace: 'this.size',
  },
  {
    name: 'sends a queued message again',
    file: SENDER,
    find: "this.settings.endpoint === 'sync' && ",
    replace: '',
  },
  {
    name: 'takes any refusal of status for "not known"',
    file: STATUS,
    find: "problem.kind === 'item' && meansAbsent(problem.text) ? 'absent' : 'unclear'",
    replace: "problem.kind === 'item' ? 'absent' : 'unclear'",
  },
  {
    name: 'takes an unanswered question for "not known"',
    file: STATUS,
    find: "answered?.ok ? answered.answers[i] : { kind: 'unanswered' }",
    replace: "answered?.ok ? answered.answers[i] : { kind: 'absent' }",
  },
  {
    name: 'asks for ever about what stays unanswered',
    file: PARKING,
    find: '!isSettled || parked.unanswered < MOST_UNANSWERED',
    replace: 'true',
  },
  {
    name: 'waits for ever for a gateway that limits requests',
    file: 'gateway/client/back-off.ts',
    find: '    if (waited + milliseconds > limit) return undefined;\n',
    replace: '',
  },
  {
    name: 'goes on sending to a gateway that does not answer',
    file: SENDER,
    find: '      if (this.unclearInARow >= UNCLEAR_IN_A_ROW) await this.findOutFirst();\n',
    replace: '',
  },
  {
    name: 'takes an answer full of faults for a good one',
    file: ANSWER,
    find: "item.kind === 'refused' && policyOf(item.problem).retry === 'afterStatusCheck'",
    replace: 'false',
  },
  {
    name: 'waits for an answer without end',
    file: 'n8n/deadline.ts',
    find: "() => cutOff({ kind: 'timeout' })",
    replace: '() => undefined',
  },
  {
    name: 'sleeps on when the execution is stopped',
    file: 'MessagingGateway/run/run.ts',
    find: 'abortableSleep(milliseconds, this.signal)',
    replace: 'abortableSleep(milliseconds)',
  },
  {
    name: 'gives the runs of a loop the same ids',
    file: 'MessagingGateway/run/id-maker.ts',
    find: '`${nodeKey}|${runIndex}`',
    replace: 'nodeKey',
  },
  {
    name: 'tells nodes apart by their id',
    file: 'MessagingGateway/run/message-ids.ts',
    find: 'context.getNode().name',
    replace: 'context.getNode().id',
  },
  {
    name: 'passes failed items on by the success output',
    file: 'MessagingGateway/run/output.ts',
    find: '{ error: message, details: { ...json, description } }',
    replace: '{ ...json, error: message, message: description }',
  },
  {
    name: 'pairs every output with the first item',
    file: 'MessagingGateway/run/output.ts',
    find: 'items.push({ json, pairedItem: { item } })',
    replace: 'items.push({ json, pairedItem: { item: 0 } })',
  },
];

/** The first seed, of so many, that notices a mutant, and the promise that it sees broken; undefined if none does. */
export async function catchMutant(
  mutant: Mutant,
  from: number,
  count: number,
  simulateSeed: Simulate = simulate,
): Promise<(Violation & { seed: number }) | undefined> {
  const product = loadProduct(mutant);
  for (let seed = from; seed < from + count; seed++) {
    const { violations } = await simulateSeed(product, seed);
    if (violations.length > 0) return { seed, ...violations[0] };
  }
  return undefined;
}
