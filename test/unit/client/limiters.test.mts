/**
 * A gateway that takes ten messages a second, in all the ways in which such a gateway refuses the rest. Nothing is lost, nothing is
 * called what it isn't, and the run comes to an end.
 */
import type { Answer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import {
  countStates,
  json,
  reset,
  results,
  ScriptedGateway,
  send,
  sms,
  states,
  whole,
} from '../../support/send-client.mts';

/** Takes ten messages a second, ten at once at most. */
class Bucket {
  private filled = 10;
  private lastMs: number | undefined;

  take(count: number, nowMs: number): number {
    this.filled = Math.min(10, this.filled + (nowMs - (this.lastMs ?? nowMs)) / 100);
    this.lastMs = nowMs;
    const taken = Math.min(count, Math.floor(this.filled));
    this.filled -= taken;
    return taken;
  }

  /** Takes all of them, or none. */
  takeAll(count: number, nowMs: number): boolean {
    const before = this.take(0, nowMs);
    if (before > 0 || Math.floor(this.filled) < count) return false;
    this.filled -= count;
    return true;
  }
}

const LATENCY_MS = 30;

interface Limiter {
  /** How a request is refused as a whole; left out: each row on its own. */
  refuse?: () => Answer;

  /** Whether it counts the ids of questions, too. */
  countsQuestions?: boolean;
}

function limiter({ refuse, countsQuestions }: Limiter): ScriptedGateway {
  const bucket = new Bucket();
  const gateway: ScriptedGateway = new ScriptedGateway(({ data, take }) => {
    gateway.nowMs += LATENCY_MS;
    if (refuse) {
      if (!bucket.takeAll(data.length, gateway.nowMs)) return refuse();
      take();
      return results(data);
    }
    const taken = data.slice(0, bucket.take(data.length, gateway.nowMs));
    take(taken);
    return results(data, (one: WireOperation) => (taken.includes(one) ? undefined : 'Too many requests'));
  });
  if (countsQuestions)
    gateway.question = (data) => {
      gateway.nowMs += LATENCY_MS;
      return bucket.takeAll(data.length, gateway.nowMs) ? undefined : (refuse?.() ?? json('', 429));
    };
  return gateway;
}

const REFUSALS: Array<[string, (() => Answer) | undefined]> = [
  ['429', () => json('', 429)],
  ['429 with Retry-After: 1', () => json('', 429, { retryAfter: 1 })],
  ['words for the request', () => whole('Too many requests')],
  ['words for each row', undefined],
];

it.each(
  REFUSALS.flatMap(([name, refuse]) =>
    [false, true].map((countsQuestions) => ({ name, countsQuestions, refuse })),
  ),
)(
  'gets all of 1,000 messages in little more than their time: $name, questions counted: $countsQuestions',
  async (one) => {
    const gateway = limiter(one);
    const start = gateway.nowMs;
    expect(countStates(await send(gateway, sms(1000)))).toEqual({ accepted: 1000 });
    // A question about the first 250 rows, which are counted, costs half a minute.
    const most = one.countsQuestions ? 260 : 200;
    const requests = gateway.sizes.length + gateway.askedAtMs.length;
    const seconds = Math.round((gateway.nowMs - start) / 1000);
    expect([gateway.twice, seconds < most, requests < most]).toEqual([0, true, true]);
  },
);

it.each(REFUSALS)('takes each message once where it took all that it asks to wait: %s', async (_, refuse) => {
  const gateway = new ScriptedGateway(({ data, number, take }) => {
    take();
    if (number > 3) return results(data);
    return refuse?.() ?? results(data, () => 'Try again later');
  });
  expect(countStates(await send(gateway, sms(300), { batchSize: 50 }))).toEqual({ accepted: 300 });
  expect(gateway.twice).toBe(0);
});

it('holds no other row back for one that has to wait for ever, which is not sent', async () => {
  const gateway = new ScriptedGateway(({ data, take }) => {
    take(data.filter(({ id }) => id !== 7));
    return results(data, ({ id }) => (id === 7 ? 'Rate limit of this number' : undefined));
  });
  const start = gateway.nowMs;
  const rows = await send(gateway, sms(300));
  expect(countStates(rows)).toEqual({ accepted: 299, notSent: 1 });
  expect(rows[6].state).toMatchObject({ is: 'notSent', problem: { text: 'Rate limit of this number' } });
  expect(gateway.nowMs - start).toBeLessThan(200_000);
});

it.each(REFUSALS)('that takes nothing any more is left within five minutes: %s', async (name, refuse) => {
  const silent: Array<[string, (gateway: ScriptedGateway) => void]> = [
    ['refuses questions', (gateway) => (gateway.question = () => json('', 429))],
    [
      'says the same of every id',
      (gateway) => (gateway.status = (id) => ({ success: false, error: 'No', data: { id } })),
    ],
  ];
  for (const [, silence] of silent) {
    const gateway = new ScriptedGateway(({ data }) => refuse?.() ?? results(data, () => 'Too many requests'));
    silence(gateway);
    const start = gateway.nowMs;
    const { refused = 0, notSent = 0, unknown = 0 } = countStates(await send(gateway, sms(300)));
    expect(refused + notSent + unknown).toBe(300);
    // A code without words is no word of the gateway, which may have taken the row before.
    if (!name.startsWith('429')) expect(unknown).toBe(0);
    expect(gateway.nowMs - start).toBeLessThan(300_000);
  }
});

it('is believed at once of a message that status does not know: it would leave again without a question', async () => {
  const gateway = new ScriptedGateway(({ data }) => results(data, () => 'Try again later'));
  const pipelines = sms(3).map((one): WireOperation => ({ ...one, type: 'pipeline' }));
  expect(states(await send(gateway, pipelines))).toEqual(['refused', 'refused', 'refused']);
  expect([gateway.sizes, gateway.askedAtMs]).toEqual([[3], []]);
});

describe('rows that another Retry may have sent, and that were absent beside a known message', () => {
  const rows = { mayHaveBeenSent: true };

  it('are not sent where the run ends before they leave', async () => {
    const refused = new ScriptedGateway(() => whole('Access denied'));
    expect(countStates(await send(refused, sms(300), { rows, known: 777 }))).toEqual({ notSent: 300 });
    const stopped: ScriptedGateway = new ScriptedGateway(({ data, take }) => {
      take();
      return results(data);
    });
    const isStopped = () => stopped.sizes.length === 1;
    const some = await send(stopped, sms(300), { rows, known: 777, stopped: isStopped });
    expect(countStates(some)).toEqual({ accepted: 250, notSent: 50 });
  });

  it('stay unknown where they have left, and where status tells nothing, or the same of every id', async () => {
    const closed = new ScriptedGateway(({ number }) => (number === 1 ? reset : whole('Access denied')));
    expect(states(await send(closed, sms(2), { rows, known: 777 }))).toEqual(['unknown', 'unknown']);
    const silent = new ScriptedGateway(() => whole('Access denied'));
    silent.question = () => json('', 503);
    expect(states(await send(silent, sms(2), { rows, known: 777 }))).toEqual(['unknown', 'unknown']);
    const blind = new ScriptedGateway(() => whole('Access denied'));
    blind.status = (id) => ({ success: false, error: 'No such message', data: { id } });
    expect(states(await send(blind, sms(2), { rows }))).toEqual(['unknown', 'unknown']);
  });
});
