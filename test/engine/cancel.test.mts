/** Stopping an execution in the middle of a send. */
import type { NodeRun } from '../support/engine.mts';
import { smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { latencyMs: 100 } });

const SEND = smsForm();
const itemsOf = (count: number) => Array.from({ length: count }, (_, i) => ({ phone: 380500000000 + i }));

interface Entry {
  jsons?: unknown;
}

/** What n8n keeps of a stopped node, which throws away its output: the journal in the run data, by item. */
function journalOf({ execution }: NodeRun): Entry[] {
  const { contextData } = execution.executionData ?? {};
  const journals = Object.values(contextData ?? {}).map((context) => context.messagingGatewayJournal);
  const runs = Object.values((journals.find(Boolean) ?? {}) as Record<string, Record<string, Entry>>);
  return Object.values(runs[0] ?? {});
}

it('sends no further batch, and says of each message what became of it', async () => {
  const run = await runOn(sandbox, {
    parameters: { ...SEND, options: { batchSize: 10 } },
    items: itemsOf(1000),
    onError: 'continueRegularOutput',
    abortWhen: () => sandbox.requests.length >= 5,
  });
  const requests = sandbox.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  // One may have been on its way.
  expect(sandbox.requests.length).toBeLessThanOrEqual(requests + 1);
  expect(requests).toBeLessThan(50);
  expect(run.status).toBe('canceled');

  const accepted = journalOf(run).filter((entry) => entry.jsons !== undefined).length;
  const given = run.json.filter(({ error }) => error === undefined).length;
  expect(Math.max(accepted, given)).toBeGreaterThan(0);
  expect(Math.max(accepted, given)).toBeLessThanOrEqual(sandbox.messages.accepted);
});
