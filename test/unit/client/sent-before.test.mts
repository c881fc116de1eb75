/** What is asked about by its `id` right before it leaves (gateway-api.md, "Asking for a status"). */
import type { SendSettings } from '../../../nodes/gateway/client/send.ts';
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import type { ScriptedGateway } from '../../support/send-client.mts';
import {
  absent,
  answering,
  isControl,
  isQuestion,
  json,
  knowing,
  messages,
  send as sendAll,
  states,
  taken,
  times,
  waits,
} from '../../support/send-client.mts';

beforeEach(() => waits.splice(0));

type Reply = Answer | NoAnswer;

/** A gateway that takes everything unless it is busy, and whose `status` answers as it is told; keeps the questions. */
function gatewayWith(
  status: (data: WireOperation[], question: number) => Reply,
  isBusy: (data: WireOperation[], request: number) => boolean = () => false,
) {
  const questions: WireOperation[][] = [];
  const gateway = answering((data, request) => {
    if (!isQuestion(data)) return isBusy(data, request) ? json('', 429) : taken(data);
    questions.push(data);
    return status(data, questions.length);
  });
  return { ...gateway, questions };
}

/** Sends messages that have a key. */
const send = async (gateway: ScriptedGateway, count: number, settings: Partial<SendSettings> = {}) =>
  await sendAll(gateway, messages(count), settings, { asksFirst: true });
const AUTOMATIC = { batchSize: undefined };

/** What `status` says of each message in words of its own. */
const saying = (data: WireOperation[], words: (id: unknown) => string) =>
  json({ success: true, data: data.map(({ id }) => ({ success: false, error: words(id), data: { id } })) });

it('sends what the gateway says twice that it does not have, and the rest comes out as sent before', async () => {
  const gateway = gatewayWith(knowing([2, 15]));
  const outcomes = await send(gateway, 20, AUTOMATIC);
  const known = [2, 15];
  expect(gateway.requests.flat()).toEqual(messages(20).filter(({ id }) => !known.includes(Number(id))));
  expect(states(outcomes)).toEqual(times(20, 'accepted'));
  const before = outcomes.filter((outcome) => 'duplicate' in outcome);
  expect(before).toMatchObject(known.map((id) => ({ report: { id, msg_id: 7 } })));
  expect([gateway.questions.map(({ length }) => length), waits]).toEqual([[21, 19], [2000]]);
});

it('asks about all at first, and about each batch right before it leaves, with one pause of 2 s', async () => {
  const order: string[] = [];
  const gateway = answering((data) => {
    order.push(`${data[0].type} of ${data.filter(({ id }) => Number(id) < 1000).length}`);
    return isQuestion(data) ? absent(data) : taken(data);
  });
  await send(gateway, 300, AUTOMATIC);
  expect(order).toEqual(['status of 300', 'status of 100', 'sms of 100', 'status of 200', 'sms of 200']);
  expect(waits).toEqual([2000]);
});

it('does not send what the gateway knows a moment later, or says it does not have in other words', async () => {
  const late = gatewayWith((data, question) => (question === 1 ? absent(data) : knowing([1, 2, 3])(data)));
  expect(await send(late, 3)).toEqual(times(3, expect.objectContaining({ duplicate: true })));
  expect(late.requests).toEqual([]);
  const words = ['Kolibri', 'Amsel', 'Drossel', 'Fink', 'Star', 'Elster', 'Specht'];
  const fickle = gatewayWith((data, question) => saying(data, () => words[question - 1]));
  expect(states(await send(fickle, 3))).toEqual(times(3, 'notSent'));
});

it('asks about what has a key alone, and sends no request where all is known', async () => {
  const gateway = gatewayWith(knowing([1, 2, 3]));
  await send(gateway, 3);
  expect(gateway.requests).toEqual([]);
  const unasked = gatewayWith(absent);
  await sendAll(unasked, messages(3));
  expect(unasked.questions).toEqual([]);
});

it.each<[string, number, string, Reply]>([
  ['a fault', 7, 'http', json('', 500)],
  ['a break', 7, 'timeout', { kind: 'failure', problem: { kind: 'timeout' }, mayHaveArrived: true }],
  ['a refused key', 1, 'envelope', json({ success: false, error: 'Access denied' })],
  ['a limit of two minutes and more in all', 7, 'http', json('', 429, { retryAfter: 20 })],
  ['a receipt of the queue', 7, 'notTold', json({ success: true, request_id: 'r' })],
])(
  'ends the run, and sends nothing, where %s is all that status answers',
  async (_, questions, kind, reply) => {
    const gateway = gatewayWith(() => reply);
    const outcomes = await send(gateway, 300, AUTOMATIC);
    expect(outcomes).toMatchObject(times(300, { state: 'notSent', problem: { kind } }));
    expect([gateway.requests.length, gateway.questions.length]).toEqual([0, questions]);
  },
);

it('does not send the rows alone about which status does not tell', async () => {
  const gateway = gatewayWith((data) => saying(data, (id) => (id === 3 ? 'Not yet' : 'Nie ma takiej')));
  const outcomes = await send(gateway, 30);
  const unsent = { state: 'notSent', problem: { kind: 'notTold' } };
  expect(outcomes.filter(({ state }) => state !== 'accepted')).toEqual([unsent]);
  expect(gateway.requests.flat().map(({ id }) => id)).not.toContain(3);
});

it.each<[string, Partial<Answer>, number[]]>([
  ['asks for patience without saying how long', { status: 429 }, [500, 1000, 2000]],
  ['says how long, with whatever status', { status: 503, retryAfter: 20 }, [20_000, 20_000, 2000]],
  ['says nothing of that', { status: 500 }, [500, 2000]],
])('waits before it asks again where the gateway %s', async (_, answer, expected) => {
  const gateway = gatewayWith((data, question) => (question <= 2 ? json('', 500, answer) : absent(data)));
  expect(states(await send(gateway, 3))).toEqual(times(3, 'accepted'));
  expect(waits).toEqual(expected);
});

it('asks 500 times for nothing in a run at most', async () => {
  const words = (id: unknown) => (isControl(id) ? 'Nie ma takiej' : 'Not yet');
  const gateway = gatewayWith((data) => saying(data, words));
  const outcomes = await send(gateway, 600, { batchSize: 3 });
  expect(states(outcomes)).toEqual(times(600, 'notSent'));
  expect(gateway.questions.length).toBe(500);
});

it('asks in as many requests as a gateway wants that takes 60 operations', async () => {
  const gateway = gatewayWith((data) => (data.length > 60 ? json({}, 413) : absent(data)));
  const outcomes = await send(gateway, 100, AUTOMATIC);
  expect(states(outcomes)).toEqual(times(100, 'accepted'));
});

it('asks no more, however often a message leaves', async () => {
  const gateway = gatewayWith(absent, (_, request) => request === 1);
  expect(states(await send(gateway, 3))).toEqual(times(3, 'accepted'));
  expect([gateway.questions.length, gateway.requests.length]).toEqual([2, 2]);
});

it('stops between question and departure', async () => {
  let isStopped = false;
  const gateway = gatewayWith((data) => {
    isStopped = true;
    return absent(data);
  });
  const stopped = () => isStopped;
  const outcomes = await sendAll(gateway, messages(3), {}, { asksFirst: true, stopped });
  expect(outcomes).toEqual(times(3, { state: 'notSent', problem: { kind: 'cancelled' } }));
  expect(gateway.requests).toEqual([]);
});
