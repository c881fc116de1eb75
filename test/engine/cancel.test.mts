/** Stopping an execution in the middle of a send. */
import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { credentialsFor, runNode } from '../support/engine.mts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ config: { latencyMs: 50 } });
});
afterAll(() => sandbox.close());

it('sends no further batch, and says of each message what became of it', async () => {
  const run = await runNode({
    parameters: {
      resource: 'message',
      operation: 'sendSms',
      phone: '={{ $json.phone }}',
      smsMessage: 'Hello',
      smsSignature: { __rl: true, mode: 'name', value: 'TestSender' },
      options: { batchSize: 10 },
    },
    items: Array.from({ length: 1000 }, (_, i) => ({ phone: 380500000000 + i })),
    credentials: credentialsFor(sandbox),
    onError: 'continueRegularOutput',
    abortAfterMs: 300,
  });
  const requests = sandbox.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(sandbox.requests).toHaveLength(requests);
  expect(requests).toBeLessThan(30);
  expect(run.status).toBe('canceled');

  // n8n throws away what a node gives after a stop; the journal in the run data is what is left of it.
  const { contextData } = run.execution.executionData ?? {};
  const journals = Object.values(contextData ?? {}).map((context) => context.messagingGatewayJournal);
  const entries = Object.values((journals.find(Boolean) ?? {}) as Record<string, Record<string, { jsons?: unknown }>>);
  const accepted = Object.values(entries[0] ?? {}).filter((entry) => entry.jsons !== undefined).length;
  const given = run.json.filter(({ error }) => error === undefined).length;
  expect(Math.max(accepted, given)).toBeGreaterThan(0);
  expect(Math.max(accepted, given)).toBeLessThanOrEqual(sandbox.messages.accepted);
});
