/** A stranger who keeps *Verify With Gateway* busy, and the gateway's own callback meanwhile. */
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { chainOf } from '../../tools/n8n-host/workflow.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { CREDENTIAL_TYPE, listener } from '../support/real-n8n.mts';
import { sendJson, startWebServer } from '../support/web-server.mts';

const host = e2eHost();

/** Milliseconds that the gateway takes for an answer, as real ones may. */
const GATEWAY_MS = 1000;

interface Asked {
  data?: Array<{ id: number }>;
}

it.each([
  ['1,000 ids each', 1000, 413],
  ['100 ids each', 100, undefined],
] as const)(
  "asks the gateway about few messages of a stranger's 110 calls with %s, and takes its own callback meanwhile",
  async (_, ids, status) => {
    let requests = 0;
    const slow = await startWebServer((response, { body }) => {
      const { data = [] } = JSON.parse(body || '{}') as Asked;
      requests += 1;
      const result = ({ id }: { id: number }) => ({
        success: true,
        data: { id, type: 'sms', status: 'DELIVERED' },
      });
      void sleep(GATEWAY_MS).then(() => sendJson(response, { success: true, data: data.map(result) }));
    });
    try {
      const account = { apiKey: 'k-1234567', baseUrl: slow.url, asyncUrl: slow.url, mcpUrl: slow.url };
      const credential = await host.client.createCredential(`Slow ${ids}`, CREDENTIAL_TYPE, account);
      const path = randomUUID();
      const parameters = { outcomes: ['delivered', 'failed'], options: { verifyWithGateway: true } };
      await host.publish(listener(path, parameters, credential));
      // What any call costs n8n meanwhile: one of its own Webhook node, which does nothing.
      const bare = randomUUID();
      await host.publish(
        chainOf('Bare', [
          {
            name: 'Hook',
            type: 'n8n-nodes-base.webhook',
            typeVersion: 2,
            webhookId: bare,
            parameters: { httpMethod: 'POST', path: bare, options: {} },
          },
        ]),
      );
      const post = async (body: unknown, address = `${path}/callback`) => {
        const response = await fetch(`${host.url}/webhook/${address}`, {
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
      const timeOf = async (body: unknown, address?: string) => {
        const began = Date.now();
        const answered = await post(body, address);
        return [answered, Date.now() - began] as const;
      };
      const [[real, tookMs], [, bareMs]] = await Promise.all([
        timeOf({ success: true, id: 5, status: 'DELIVERED' }),
        timeOf({}, bare),
      ]);
      const statuses = await forged;
      expect(real).toBe(200);
      const load = loadavg()[0].toFixed(1);
      console.log(`${ids} ids: ${tookMs} ms, n8n's Webhook node ${bareMs} ms, load average ${load}`);
      // Two answers of the gateway at most, and n8n's own time, however busy the machine is: it doesn't wait for all the others,
      // which would take a minute and more.
      expect(tookMs).toBeLessThan(2 * GATEWAY_MS + 4 * bareMs + 1000);
      expect(statuses.filter((one) => one < 400)).toEqual([]);
      if (status !== undefined) expect(new Set(statuses)).toEqual(new Set([status]));
      // The real one, and few lists: two at a time and ten that wait.
      expect(requests).toBeLessThan(30);
    } finally {
      await slow.close();
    }
  },
);
