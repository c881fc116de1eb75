/** The client on a clock that only moves while it waits, against a gateway in memory that is told how to answer. */
import type { Recovery } from '../../nodes/gateway/client/doubt.ts';
import type { Row, RowState } from '../../nodes/gateway/client/row.ts';
import { READY } from '../../nodes/gateway/client/row.ts';
import { deliver } from '../../nodes/gateway/client/deliver.ts';
import { DepartedMessages } from '../../nodes/gateway/client/departed.ts';
import type { DeliveryEvent } from '../../nodes/gateway/client/events.ts';
import { KnownMessages } from '../../nodes/gateway/client/status.ts';
import type { Answer, Endpoint, NoAnswer, Transport } from '../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../nodes/gateway/contract/operations.ts';

export const json = (body: unknown, status = 200, more: Partial<Answer> = {}): Answer => ({
  kind: 'answer',
  status,
  contentType: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
});

export const failure = (problem: NoAnswer['problem']): NoAnswer => ({ kind: 'failure', problem });

export const reset = failure({ kind: 'connectionLost', code: 'ECONNRESET' });
export const timeout = failure({ kind: 'timeout' });
export const unreachable = failure({ kind: 'unreachable', code: 'ECONNREFUSED' });

/** Refuses a request as a whole, in words. */
export const whole = (error: string, status = 200) => json({ success: false, error }, status);

/** The answer with a result for each operation: refused in the words that `error` returns, else taken. */
export const results = (data: WireOperation[], error?: (operation: WireOperation) => string | undefined) =>
  json({
    success: true,
    data: data.map((operation) => {
      const words = error?.(operation);
      const { id } = operation;
      return words === undefined
        ? { success: true, data: { id, msg_id: 900_000 + Number(id) } }
        : { success: false, error: words, data: { id } };
    }),
  });

export const sms = (count: number, from = 1): WireOperation[] =>
  Array.from({ length: count }, (_, i) => ({ type: 'sms', id: from + i, phone: 380501234567 }));

type Reply = Answer | NoAnswer;

/** What a gateway does with one request of messages: `take` has it take them all, or those that it is given. */
export interface Visit {
  data: WireOperation[];

  /** Its number among the requests of messages, from 1. */
  number: number;
  endpoint: Endpoint;
  take(some?: WireOperation[]): void;
}

export class ScriptedGateway {
  /** Milliseconds since 1970. */
  nowMs = 1_700_000_000_000;

  /** How often each message was taken. */
  readonly taken = new Map<unknown, number>();

  /** The sizes of the requests of messages, and the times of the questions in milliseconds since the first request. */
  readonly sizes: number[] = [];
  readonly askedAtMs: number[] = [];
  readonly questions: WireOperation[][] = [];

  /** What it says of a message that it has, and of others. */
  status: (id: unknown, isTaken: boolean) => object = (id, isTaken) =>
    isTaken
      ? { success: true, data: { id, status: 'ACCEPTED' } }
      : { success: false, error: `No such message: ${String(id)}`, data: { id } };

  /** How it answers a question as a whole, in place of one message after the other. */
  question: ((data: WireOperation[]) => Reply | undefined) | undefined;

  private readonly conduct: (visit: Visit) => Reply;
  private readonly startMs = this.nowMs;

  constructor(conduct: (visit: Visit) => Reply) {
    this.conduct = conduct;
  }

  readonly transport: Transport = async (endpoint, data) => {
    await Promise.resolve();
    if (data[0].type === 'status') return this.answer(data);
    this.sizes.push(data.length);
    const take = (some = data) => {
      for (const { id } of some) this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
    };
    return this.conduct({ data, number: this.sizes.length, endpoint, take });
  };

  private answer(data: WireOperation[]): Reply {
    this.askedAtMs.push(this.nowMs - this.startMs);
    this.questions.push(data);
    const told = this.question?.(data);
    if (told) return told;
    return json({ success: true, data: data.map(({ id }) => this.status(id, this.taken.has(id))) });
  }

  /** How often messages were taken that had been taken before. */
  get twice(): number {
    return [...this.taken.values()].filter((times) => times > 1).length;
  }
}

interface Circumstances {
  batchSize?: number;
  pauseMs?: number;
  recovery?: Recovery;

  /** Facts about all rows. */
  rows?: Partial<Row>;

  /** A message that the process knows to be taken; the gateway is told of it. */
  known?: number;

  /** What the process knows, where a test looks at it. */
  messages?: KnownMessages;
  departed?: DepartedMessages;

  /** The execution that sends. */
  execution?: string;

  stopped?(): boolean;

  /** Sees each event before the next one is asked for. */
  onEvent?(event: DeliveryEvent<Row>): void;
}

/** Questions and waits of one run, after which it has no end. */
const MAX_CALLS = 20_000;

/** Sends operations, and returns their rows with their final states. */
export async function send(
  gateway: ScriptedGateway,
  operations: WireOperation[],
  { rows: more = {}, endpoint = 'sync', ...circumstances }: Circumstances & { endpoint?: Endpoint } = {},
): Promise<Row[]> {
  const rows = operations.map((operation): Row => ({ operation, endpoint, state: READY, ...more }));
  return await sendRows(gateway, rows, circumstances);
}

/** Sends rows as they are, as a later try does. */
export async function sendRows(
  gateway: ScriptedGateway,
  rows: Row[],
  {
    known,
    messages = new KnownMessages(),
    departed = new DepartedMessages(),
    execution = 'one',
    stopped = () => false,
    onEvent = () => undefined,
    ...settings
  }: Circumstances = {},
): Promise<Row[]> {
  if (known !== undefined) {
    gateway.taken.set(known, 1);
    messages.add(known, gateway.nowMs - 60_000);
  }
  let calls = 0;
  const settled = new Set<Row>();
  const events = deliver(
    [...rows],
    { pauseMs: 0, recovery: 'status', ...settings },
    {
      transport: gateway.transport,
      knownMessages: messages,
      departed,
      execution,
      unusedIds: () => [2 ** 51, 2 ** 52 + 12345],
      clock: {
        now: () => gateway.nowMs,
        sleep: async (milliseconds) => {
          if ((calls += 1) > MAX_CALLS) throw new Error('The run has no end');
          gateway.nowMs += milliseconds;
          await Promise.resolve();
        },
        get isStopped() {
          return stopped();
        },
      },
    },
  );
  for await (const event of events) {
    onEvent(event);
    if (event.is !== 'settled') continue;
    for (const row of event.rows) {
      expect(settled.has(row)).toBe(false);
      settled.add(row);
    }
  }
  expect(settled.size).toBe(rows.length);
  return rows;
}

/** The rows as another try of the run finds them in its journal. */
export const again = (rows: Row[], more: Partial<Row> = {}): Row[] =>
  rows.map((row) => ({ ...(JSON.parse(JSON.stringify(row)) as Row), ...more }));

export const states = (rows: Row[]): Array<RowState['is']> => rows.map(({ state }) => state.is);

/** How many rows have each state. */
export function countStates(rows: Row[]): Partial<Record<RowState['is'], number>> {
  const counts: Partial<Record<RowState['is'], number>> = {};
  for (const { state } of rows) counts[state.is] = (counts[state.is] ?? 0) + 1;
  return counts;
}
