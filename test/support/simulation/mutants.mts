/** Wrong versions of single rules of the node, each of which the simulation has to catch. */
import type { Simulate, Violation } from './outcome.mts';
import type { SourceChange } from './product.mts';
import { loadProduct } from './product.mts';
import { simulate } from './simulate.mts';

export interface Mutant extends SourceChange {
  /** What the node does wrong. */
  name: string;
  /** Where the search for a seed begins, for what few of them notice. */
  from?: number;
}

const SENDER = 'gateway/client/sender.ts';
const PARKING = 'gateway/client/parking.ts';
const ANSWER = 'gateway/client/read-answer.ts';
const DOUBTS = 'gateway/client/doubts.ts';
const CONTROL = 'gateway/client/control-question.ts';
const REFUSALS = 'gateway/client/refusals.ts';
const ENVELOPE = 'gateway/contract/envelope.ts';
const SEND = 'MessagingGateway/sending/send.ts';
const PREPARE = 'MessagingGateway/sending/prepare.ts';

export const MUTANTS: readonly Mutant[] = [
  // What proves that a message was not taken.
  {
    name: 'believes the words of a refusal',
    file: SENDER,
    find: "if (this.settings.recovery !== 'status') return this.notTaken(part);",
    replace: 'return this.notTaken(part);',
  },
  {
    name: 'takes any words that begin with "Access denied" for a refusal of everything',
    from: 158,
    file: ANSWER,
    find: '/^\\s*access denied\\W*$/i',
    replace: '/^\\s*access denied/i',
  },
  {
    name: 'believes the words of a 5xx',
    file: ANSWER,
    find: 'if (status >= 500) return unclear(problem);',
    replace:
      "if (status >= 500) return problem.kind === 'envelope' ? refused(problem, retryAfter) : unclear(problem);",
  },
  {
    name: 'counts the settling time from the departure',
    file: DOUBTS,
    find: 'const waited = doubt.waited ?? 0;',
    replace: 'const waited = doubt.waited ?? this.tools.now() - doubt.leftAt;',
  },
  {
    name: 'does not wait for a broken exchange to settle',
    file: DOUBTS,
    find: "this.settings.endpoint === 'sync' ? 0 : SETTLING",
    replace: "this.settings.endpoint === 'sync' ? 0 : 0",
  },
  {
    name: 'sends a late request again',
    file: PARKING,
    find: "if (isProvable && doubt.kind !== 'late')",
    replace: 'if (isProvable)',
  },
  {
    name: 'sends again what status may have forgotten',
    from: 3489,
    file: DOUBTS,
    find: '12 * 3_600_000',
    replace: 'Infinity',
  },
  {
    name: 'takes any refusal of status for "not known"',
    file: CONTROL,
    find: 'if (masked(at) === words) return tells',
    replace: "if (masked(at) === words || items[at].kind === 'refused') return tells",
  },
  {
    name: 'believes a control whose answer is a fault',
    from: 667,
    file: CONTROL,
    find: '!meansSomethingElse(ofControl) && ',
    replace: '',
  },
  {
    name: 'believes the first absence',
    from: 35,
    file: PARKING,
    find: 'isOver && parked.waited - parked.absence.since >= LAG',
    replace: 'isOver',
  },
  {
    name: 'does not compare two absences',
    from: 278,
    file: PARKING,
    find: 'if (parked.absence?.words !== words)',
    replace: 'if (!parked.absence)',
  },
  {
    name: 'gives up a question that is refused because of the control',
    from: 1799,
    file: CONTROL,
    find: 'isWorthMore ? await findKnown(transport, batch, search) : unanswered(batch)',
    replace: 'unanswered(batch)',
  },
  {
    name: 'takes an unanswered question for "not known"',
    file: CONTROL,
    find: "ids.map(() => ({ kind: 'unanswered' }))",
    replace: "ids.map(() => ({ kind: 'absent', words: '' }))",
  },
  {
    name: 'sends a broken exchange of the queue again',
    file: DOUBTS,
    find: "if (this.settings.endpoint === 'async' && doubt?.kind !== 'answered') return false;",
    replace: '',
  },
  // A refused row may be one that was taken.
  {
    name: 'does not ask about a refused row',
    from: 47,
    file: SENDER,
    find: "if (this.settings.recovery === 'status') this.doubts.addRefused(entry, problem, payload);",
    replace: '',
  },
  {
    name: 'asks about a refused row too early',
    from: 47,
    file: DOUBTS,
    find: 'settlesAt: LAG,',
    replace: 'settlesAt: 0,',
  },
  {
    name: 'calls a refused row accepted that was not delivered',
    file: PARKING,
    find: "if (!isDoubt && outcome === 'failed') return settled({ state: 'refused', problem, payload });",
    replace: "if (!isDoubt && outcome !== 'failed') return settled({ state: 'refused', problem, payload });",
  },
  {
    name: 'does not mark a message of an earlier execution',
    file: PARKING,
    find: '...(mayBeOlder && { duplicate: true }),',
    replace: '',
  },
  // Of which types `status` proves nothing.
  {
    name: 'calls again because status does not know a call',
    file: DOUBTS,
    find: "if (type === 'call/otp') return false;",
    replace: '',
  },
  {
    name: 'sends a pipeline again whose type status was never seen to know',
    from: 427,
    file: DOUBTS,
    find: "return type !== 'pipeline' || this.knownTypes.has(type);",
    replace: 'return true;',
  },
  // The order in which an answer is read.
  {
    name: 'reads data before success',
    file: ENVELOPE,
    find: 'if (!success) return envelope;',
    replace: 'if (!success && isNone(data)) return envelope;\n  envelope.success = true;',
  },
  {
    name: 'does not know PHP\'s ways of saying "none"',
    file: ENVELOPE,
    find: 'if (success === undefined) return undefined;\n    results.push',
    replace:
      "if (success === undefined || (error !== undefined && error !== null && typeof error !== 'string')) return undefined;\n    results.push",
  },
  {
    name: 'does not know an acknowledgement of the synchronous endpoint',
    file: ANSWER,
    find: "const isQueued = requestId !== undefined && (endpoint === 'async' || !data?.length);",
    replace: "const isQueued = requestId !== undefined && endpoint === 'async';",
  },
  // Good rows go out.
  {
    name: 'gives up a search after one row',
    from: 76,
    file: REFUSALS,
    find: 'export const MOST_PROBES = 16;',
    replace: 'export const MOST_PROBES = 1;',
  },
  {
    name: 'knows refusals of a row from HTTP 400 only',
    file: ANSWER,
    find: "if (problem.kind === 'envelope') return refused(problem, retryAfter);",
    replace:
      "if (problem.kind === 'envelope') return status === 400 ? refused(problem, retryAfter) : { kind: 'rejected', problem };",
  },
  {
    name: 'shrinks all batches because of the words about one message',
    from: 2388,
    file: SENDER,
    find: 'this.batchSize.refused(size);',
    replace: 'this.batchSize.tooLarge(size);',
  },
  // The rest of a run.
  {
    name: 'takes 504 for a lost request',
    from: 107,
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
    name: 'takes a lost connection for one that never was',
    file: ANSWER,
    find: 'return mayHaveArrived ?',
    replace: "return problem.kind === 'timeout' ?",
  },
  {
    name: 'forgets its doubts between two tries',
    file: SEND,
    find: "if (result.state === 'unknown') run.journal.record(index, { sent, doubt: result.doubt });",
    replace: "if (result.state === 'unknown') run.journal.forget(index);",
  },
  {
    name: 'does not look for doubts of an earlier try',
    file: PREPARE,
    find: '      else if (earlier?.doubt) pending.doubt = earlier.doubt;\n',
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
    name: 'matches results by position whatever their ids',
    file: ANSWER,
    find: 'if (items.every((item, i) => idFits(item, operations[i]))) return items;',
    replace: 'return items;',
  },
  {
    name: 'believes an answer of another length',
    from: 35,
    file: ANSWER,
    find: 'if (data.length !== operations.length) {',
    replace: 'if (data.length < operations.length) {',
  },
  {
    name: 'does not shrink a batch that is too large',
    file: SENDER,
    find: '          this.batchSize.tooLarge(batch.length);\n',
    replace: '',
  },
  {
    name: 'halves a batch that is too large, whatever is known by then',
    from: 1669,
    file: SENDER,
    find: 'await this.deliver(batch.splice(0, this.batchSize.current));',
    replace: 'await this.deliver(batch.splice(0, Math.ceil(batch.length / 2)));',
  },
  {
    name: 'never grows an automatic batch',
    from: 902,
    file: 'gateway/client/batch-size.ts',
    find: 'Math.min(2 * this.size, this.largest)',
    replace: 'this.size',
  },
  {
    name: 'waits for ever for a gateway that limits requests',
    from: 957,
    file: 'gateway/client/back-off.ts',
    find: '    if (waited + milliseconds > limit) return undefined;\n',
    replace: '',
  },
  {
    name: 'waits for an answer without end',
    file: 'n8n/request.ts',
    find: 'AbortSignal.timeout(Math.ceil(milliseconds))',
    replace: 'new AbortController().signal',
  },
  {
    name: 'sleeps on when the execution is stopped',
    file: 'MessagingGateway/run/run.ts',
    find: 'abortableSleep(milliseconds, this.signal)',
    replace: 'abortableSleep(milliseconds)',
  },
  {
    name: 'gives the runs of a loop the same ids',
    file: 'MessagingGateway/run/journal.ts',
    find: '(context, IDS_KEY)[runIndex]',
    replace: '(context, IDS_KEY)[0]',
  },
  {
    name: 'gives the nodes of a workflow the same ids',
    file: 'MessagingGateway/run/journal.ts',
    find: 'memoryOf<number>(context, IDS_KEY)',
    replace: "((context.getContext('flow')[IDS_KEY] ??= {}) as Record<string, number>)",
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
