/** docs/bulk.md: "Batch Size" and "Batch Interval (Ms)" of 100 and 1,000 are at most 100 messages a second. */
import { countStates, results, ScriptedGateway, send, sms } from '../../support/send-client.mts';

it.each([0, 30, 700, 2500])(
  'lets at most 100 messages a second leave in batches of 100 a second apart, where an answer takes %i ms',
  async (latencyMs) => {
    const left: Array<{ atMs: number; count: number }> = [];
    const gateway: ScriptedGateway = new ScriptedGateway(({ data, take }) => {
      left.push({ atMs: gateway.nowMs, count: data.length });
      gateway.nowMs += latencyMs;
      take();
      return results(data);
    });
    const rows = await send(gateway, sms(1000), { batchSize: 100, pauseMs: 1000 });
    expect(countStates(rows)).toEqual({ accepted: 1000 });
    for (const { atMs } of left) {
      const within = left.filter((one) => one.atMs >= atMs && one.atMs < atMs + 1000);
      expect(within.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(100);
    }
    expect(left).toHaveLength(10);
  },
);
