/** A stranger who keeps *Verify With Gateway* busy, and the gateway's own callback meanwhile. */
import { randomUUID } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { e2eHost } from '../support/e2e-host.mts';
import { CREDENTIAL_TYPE, listener } from '../support/real-n8n.mts';
import { sendJson, startWebServer } from '../support/web-server.mts';

const host = e2eHost();

interface Asked {
  data?: Array<{ id: number }>;
}

it.each([
  ['1,000 ids each', 1000, 413],
  ['100 ids each', 100, undefined],
] as const)(
  "asks the gateway about few messages of a stranger's 110 calls with %s, and takes its own callback meanwhile",
  async (_, ids, status) => {
    // A gateway that takes a second for an answer, as real ones may.
    let requests = 0;
    const slow = await startWebServer((response, { body }) => {
      const { data = [] } = JSON.parse(body || '{}') as Asked;
      requests += 1;
      const result = ({ id }: { id: number }) => ({
        success: true,
        data: { id, type: 'sms', status: 'DELIVERED' },
      });
      void sleep(1000).then(() => sendJson(response, { success: true, data: data.map(result) }));
    });
    try {
      const account = { apiKey: 'k-1234567', baseUrl: slow.url, asyncUrl: slow.url, mcpUrl: slow.url };
      const credential = await host.client.createCredential(`Slow ${ids}`, CREDENTIAL_TYPE, account);
      const path = randomUUID();
      const parameters = { outcomes: ['delivered', 'failed'], options: { verifyWithGateway: true } };
      await host.publish(listener(path, parameters, credential));
      const post = async (body: unknown) => {
        const response = await fetch(`${host.url}/webhook/${path}/callback`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        await response.arrayBuffer();
        return response.status;
      };
      const forgedBy = (call: number) =>
        Array.from({ length: ids }, (__, i) => ({
          success: false,
          id: 1_000_000_000 + call * ids + i,
          status: 'UNDELIVERABLE',
        }));
      const forged = Promise.all(Array.from({ length: 110 }, async (__, call) => await post(forgedBy(call))));
      await sleep(500);
      const began = Date.now();
      const real = await post({ success: true, id: 5, status: 'DELIVERED' });
      const tookMs = Date.now() - began;
      const statuses = await forged;
      expect(real).toBe(200);
      console.log(`${ids} ids: ${tookMs} ms at a load average of ${loadavg()[0].toFixed(1)}`);
      // The gateway takes one of these seconds. On a busy machine, what counts is that it doesn't wait for all the others.
      const allowedMs = 2000 * Math.max(1, loadavg()[0] / availableParallelism());
      expect(tookMs).toBeLessThan(allowedMs);
      expect(statuses.filter((one) => one < 400)).toEqual([]);
      if (status !== undefined) expect(new Set(statuses)).toEqual(new Set([status]));
      // The real one, and few lists: two at a time and ten that wait.
      expect(requests).toBeLessThan(30);
    } finally {
      await slow.close();
    }
  },
);
