/** The client on a clock that only moves while it waits, against gateways in memory. */
import { begin } from '../../nodes/gateway/client/begin.ts';
import type { Row, RowState } from '../../nodes/gateway/client/row.ts';
import type { SendSettings } from '../../nodes/gateway/client/send.ts';
import { sendOperations } from '../../nodes/gateway/client/send.ts';
import type { Answer, NoAnswer, Transport } from '../../nodes/gateway/client/transport.ts';
import { Witnesses } from '../../nodes/gateway/client/witnesses.ts';
import type { WireOperation } from '../../nodes/gateway/contract/operations.ts';

export interface ScriptedGateway {
  transport: Transport;
  /** How often each id was accepted. */
  accepted: Map<unknown, number>;
  /** Operations of each request that reached the gateway, `status` questions left out. */
  requests: WireOperation[][];
}

const SETTINGS: SendSettings = { endpoint: 'sync', batchSize: 10, pauseMs: 0, recovery: 'status' };

export const messages = (count: number): WireOperation[] =>
  Array.from({ length: count }, (_, i) => ({ type: 'sms', id: i + 1, phone: 380501234567 }));

/** Milliseconds of each wait; empty it before each test. */
export const waits: number[] = [];

const START_MS = 1_000_000;

/** The time, in milliseconds, which waits move, and gateways that take their time. */
export const clock = { now: 0 };

interface Circumstances {
  stopped?: () => boolean;
  /** The state in which an earlier try left all of them. */
  before?: RowState;
  sendOnce?: boolean;
}

/** Calls of its tools after which a run has no end: no test makes a quarter of them. */
const MOST_CALLS = 5000;

/**
 * Returns what a run calls a tool through. It throws at a call too many: a loop without end never gives the thread back, so
 * that no time limit of a test could end it.
 */
export function bounded() {
  let calls = 0;
  return <A extends unknown[], R>(tool: (...given: A) => R) =>
    (...given: A): R => {
      calls += 1;
      if (calls > MOST_CALLS) throw new Error('The run has no end');
      return tool(...given);
    };
}

/** A row as it enters a try. */
export const rowOf = (operation: WireOperation, more: Partial<Row> = {}, before?: RowState): Row => {
  const row = { operation, endpoint: 'sync' as const, ...more };
  return { ...row, state: begin(row, { state: before, mayBeSent: false, nowMs: START_MS }) };
};

/** Sends rows as they are, from 1,000,000 ms on; all states of each that were recorded, in order. */
export async function sendRows(
  rows: Row[],
  transport: Transport,
  settings: Partial<SendSettings> = {},
  stopped = () => false,
): Promise<RowState[][]> {
  clock.now = START_MS;
  const states = new Map<Row, RowState[]>(rows.map((row) => [row, []]));
  const counted = bounded();
  await sendOperations(
    [...rows],
    { ...SETTINGS, ...settings },
    {
      transport: counted(transport),
      witnesses: new Witnesses(),
      now: () => clock.now,
      sleep: counted(async (milliseconds: number) => {
        waits.push(milliseconds);
        clock.now += milliseconds;
        await Promise.resolve();
      }),
      stopped: counted(stopped),
      record: (row) => {
        states.get(row)?.push({ ...row.state });
      },
    },
  );
  return [...states.values()];
}

/** Sends operations; the last state of each, in order. */
export async function send(
  gateway: ScriptedGateway,
  operations: WireOperation[],
  settings: Partial<SendSettings> = {},
  { stopped, before, sendOnce }: Circumstances = {},
): Promise<RowState[]> {
  const { endpoint = 'sync' } = settings;
  const rows = operations.map((operation) => rowOf(operation, { endpoint, sendOnce }, before));
  const states = await sendRows(rows, gateway.transport, settings, stopped);
  return states.map((all) => {
    expect(all).not.toEqual([]);
    return all[all.length - 1];
  });
}

export const states = (rows: RowState[]) => rows.map(({ is }) => is);

export const times = <T,>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** A gateway that answers as it is told: a transport from a function, beside the script of faults. */
export function answering(
  reply: (data: WireOperation[], request: number) => Answer | NoAnswer,
): ScriptedGateway {
  const requests: WireOperation[][] = [];
  const transport: ScriptedGateway['transport'] = async (_, data) => {
    if (data[0].type !== 'status') requests.push(data);
    return await Promise.resolve(reply(data, requests.length));
  };
  return { transport, requests, accepted: new Map() };
}

export const json = (body: unknown, status = 200, more: Partial<Answer> = {}): Answer => ({
  kind: 'answer',
  status,
  contentType: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
});
/** Refuses each message of a request, with these words. */
export const refusing = (error: string) => (data: WireOperation[]) =>
  json({ success: true, data: data.map(({ id }) => ({ success: false, error, data: { id } })) });

/** Refuses a request as a whole, with these words. */
export const whole = (error: string) => () => json({ success: false, error });

/** Control questions have ids that no test sends. */
export const isControl = (id: unknown): boolean => Number(id) >= 2 ** 52;
const answers = (data: WireOperation[], isTaken: (id: unknown) => boolean) =>
  json({
    success: true,
    data: data.map(({ id }) =>
      isTaken(id)
        ? { success: true, data: { id, msg_id: 7, status: 'ACCEPTED' } }
        : { success: false, error: 'Nie ma takiej', data: { id } },
    ),
  });
export const taken = (data: WireOperation[]) => answers(data, (id) => !isControl(id));
export const absent = (data: WireOperation[]) => answers(data, () => false);
/** What `status` says where some were taken. */
export const knowing = (ids: readonly unknown[]) => (data: WireOperation[]) =>
  answers(data, (id) => ids.includes(id));
/** A gateway whose `status` knows what it took, and that answers sends as it is told. */
export function remembering(
  reply: (data: WireOperation[], request: number, take: () => Answer) => Answer | NoAnswer,
): ScriptedGateway {
  const gateway = answering((data, request) => {
    const { accepted } = gateway;
    if (isQuestion(data)) return answers(data, (id) => accepted.has(id));
    return reply(data, request, () => {
      for (const { id } of data) accepted.set(id, (accepted.get(id) ?? 0) + 1);
      return taken(data);
    });
  });
  return gateway;
}
export const isQuestion = ([{ type }]: WireOperation[]) => type === 'status';

export type Reply = (data: WireOperation[], number: number) => Answer | NoAnswer;

/** A gateway that answers sends in turn, the last answer again and again, and questions alike; all requests with their times. */
export function replaying(sends: Reply[], questions: Reply[] = [absent]) {
  const seen: Array<{ atMs: number; ids: unknown[]; is: 'send' | 'question' }> = [];
  const asked = () => seen.filter(({ is }) => is === 'question');
  const sent = () => seen.filter(({ is }) => is === 'send');
  const gateway = answering((data) => {
    const is = isQuestion(data) ? 'question' : 'send';
    const ids = data.map(({ id }) => id).filter((id) => !isControl(id));
    seen.push({ atMs: clock.now - START_MS, ids, is });
    const [replies, number] = is === 'send' ? [sends, sent().length] : [questions, asked().length];
    return replies[Math.min(number, replies.length) - 1](data, number);
  });
  return { gateway, seen, asked, sent };
}

export const lost: Reply = () => json({}, 502);
export const limited =
  (retryAfter?: number): Reply =>
  () =>
    json('', 429, { retryAfter });

/** How many messages each request that `replaying` saw was about. */
export const sizesOf = (requests: Array<{ ids: unknown[] }>) => requests.map(({ ids }) => ids.length);

/** The ids of so many messages. */
export const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
