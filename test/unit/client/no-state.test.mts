/**
 * A `status` that answers with success and names no state: of what is in doubt it proves no absence, unless a message of the
 * run shows that it names the states of those that it has.
 */
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import {
  answering,
  isQuestion,
  json,
  messages,
  refusing,
  send,
  states,
  taken,
  times,
  waits,
  whole,
} from '../../support/send-client.mts';

beforeEach(() => waits.splice(0));

type Reply = (data: WireOperation[]) => Answer | NoAnswer;

const lost: Reply = () => json('', 502);
const turnedAway: Reply = () => json('', 403);

/** What `status` says where it says the same of all ids but those that it has a state of. */
const saying =
  (status: unknown, known: readonly unknown[] = []): Reply =>
  (data) =>
    json({
      success: true,
      data: data.map(({ id }) => ({
        success: true,
        data: { id, status: known.includes(id) ? 'DELIVERED' : status },
      })),
    });

/** Sends messages, at most five in a request, to a gateway that answers in turn, the last answer again and again. */
async function sendTo(sends: Reply[], status: Reply, count = 3) {
  const gateway = answering((data, request) =>
    isQuestion(data) ? status(data) : sends[Math.min(request, sends.length) - 1](data),
  );
  const found = await send(gateway, messages(count), { batchSize: 5 });
  return { found: states(found), requests: gateway.requests.length };
}

const NO_STATES = ['UNKNOWN', 'No status', 'unknown_state', '0', 0, null, undefined, ''];

it.each(NO_STATES)('what was lost stays unknown where status says %j of everything', async (status) => {
  expect(await sendTo([lost, taken], saying(status))).toEqual({ found: times(3, 'unknown'), requests: 1 });
});

it.each<[string, Reply, number]>([
  ['a row that is called a fault', refusing('Internal error'), 1],
  ['a request that is called a fault', whole('Internal error'), 3],
  ['a duplicate of itself', refusing('Duplicate id'), 1],
])('%s stays unknown where status says UNKNOWN of everything', async (_, refusal, count) => {
  const { found, requests } = await sendTo([refusal, taken], saying('UNKNOWN'), count);
  expect([found, requests]).toEqual([times(count, 'unknown'), 1]);
});

it('what was lost leaves once more where a message of the run has a state beside it', async () => {
  const { found, requests } = await sendTo([taken, lost, taken], saying('UNKNOWN', [1, 2, 3, 4, 5]), 8);
  expect([found, requests]).toEqual([times(8, 'accepted'), 3]);
});

it.each([whole('Number is barred'), turnedAway])(
  'what was refused without a fault leaves in parts, whatever status says',
  async (refusal) => {
    const { found, requests } = await sendTo([refusal, taken], saying('UNKNOWN'));
    expect([found, requests]).toEqual([times(3, 'accepted'), 4]);
  },
);

it('words for "no such message" and a state that is not listed show an absence, also in a success', async () => {
  const inError: Reply = (data) =>
    json({
      success: true,
      data: data.map(({ id }) => ({ success: true, data: { id, error: 'Not found' } })),
    });
  const inStates = ['NOT FOUND', 'NOT_EXIST', 'UNKNOWN ID', 'Нет', 404].map((one) => saying(one));
  for (const status of [inError, ...inStates])
    expect(await sendTo([lost, taken], status)).toEqual({ found: times(3, 'accepted'), requests: 2 });
});
