import fc from 'fast-check';

import type { Fault } from '../../support/scripted-gateway.mts';
import { FAULTS, scriptedGateway } from '../../support/scripted-gateway.mts';
import { messages, send, states, times, waits } from '../../support/send-client.mts';
import { shortOrLong } from '../../support/long-form.mts';

beforeEach(() => waits.splice(0));

const inTurn = (faults: Fault[]) => () => faults.shift() ?? 'none';

describe('batches', () => {
  it.each([
    [0, 10, 0],
    [1, 10, 1],
    [10, 10, 1],
    [11, 10, 2],
    [1000, 100, 10],
  ])('sends %i operations of batch size %i in %i requests', async (count, batchSize, requests) => {
    const gateway = scriptedGateway(() => 'none');
    const outcomes = await send(gateway, messages(count), { batchSize });
    expect(gateway.requests).toHaveLength(requests);
    expect(states(outcomes)).toEqual(times(count, 'accepted'));
  });

  it('has one request under way at a time', async () => {
    let underWay = 0;
    let most = 0;
    const gateway = scriptedGateway(() => 'none');
    const { transport } = gateway;
    gateway.transport = async (...request) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 1));
      const answer = await transport(...request);
      underWay -= 1;
      return answer;
    };
    await send(gateway, messages(100));
    expect(most).toBe(1);
  });
});

describe('faults', () => {
  it.each(FAULTS)(
    'after %s, every message is accepted once, unless the gateway may yet take it',
    async (fault) => {
      const state = fault === 'timeoutBefore' ? 'unknown' : 'accepted';
      const gateway = scriptedGateway(inTurn([fault]));
      const outcomes = await send(gateway, messages(10));
      expect(states(outcomes)).toEqual(times(10, state));
      expect(Math.max(0, ...gateway.accepted.values())).toBe(state === 'accepted' ? 1 : 0);
    },
  );

  it('leaves a queued batch unknown when its answer is lost, and goes on', async () => {
    const gateway = scriptedGateway(inTurn(['lostBefore']));
    const outcomes = await send(gateway, messages(20), { endpoint: 'async' });
    expect(states(outcomes)).toEqual([...times(10, 'unknown'), ...times(10, 'accepted')]);
    expect(gateway.requests).toHaveLength(2);
  });

  it('stops sending when the gateway stays unreachable, within a time limit', async () => {
    const gateway = scriptedGateway(() => 'refusedConnection');
    const outcomes = await send(gateway, messages(30));
    expect(states(outcomes)).toEqual(times(30, 'notSent'));
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(15_000);
  });

  it('honours Retry-After', async () => {
    const gateway = scriptedGateway(inTurn(['429', '429']));
    await send(gateway, messages(1));
    expect(waits).toEqual([1000, 1000]);
  });
});

it('never doubles a message and never calls one sent or unsent that is not, whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant<Fault>('none') }, fc.constantFrom(...FAULTS)), {
        maxLength: 60,
      }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom<'sync' | 'async'>('sync', 'async'),
      async (faults, count, batchSize, endpoint) => {
        const gateway = scriptedGateway(inTurn([...faults]));
        const operations = messages(count);
        const outcomes = await send(gateway, operations, { batchSize, endpoint });
        expect(outcomes).toHaveLength(count);
        outcomes.forEach((outcome, i) => {
          const taken = gateway.accepted.get(operations[i].id) ?? 0;
          expect(taken).toBeLessThanOrEqual(1);
          if (outcome.state === 'accepted') expect(taken).toBe(1);
          if (outcome.state === 'notSent' || outcome.state === 'refused') expect(taken).toBe(0);
        });
      },
    ),
    { numRuns: shortOrLong(500, 2000) },
  );
});
