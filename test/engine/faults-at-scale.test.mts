/** Two thousand messages, in the long form ten thousand, while the gateway and the network fail in every way: none doubled, none lost, none guessed. */
import type { IDataObject } from 'n8n-workflow';

import type { FaultKind, Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { credentialsFor, runNode } from '../support/engine.mts';
import { shortOrLong } from '../support/long-form.mts';
import { smsForm } from '../support/sends.mts';

const COUNT = shortOrLong(2_000, 10_000);
const BATCH = 100;
const KEY = 'fault-probe-"key"/+Ω-2718281828';

const QUICK: FaultKind[] = [
  'drop-before',
  'drop-after',
  'status-before',
  'status-after',
  'truncated',
  'short-data',
  'long-data',
  'reordered',
  'foreign-ids',
  'html-before',
  'html-after',
  'garbage-before',
  'garbage-after',
  'empty-after',
  'rate-limit',
];
/** Past the time-out: the gateway may take the batch or not, and nobody can know before it says so. */
const SLOW: FaultKind[] = ['slow', 'hang-before', 'hang-after'];

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ key: KEY, config: { keep: { messages: 2 * COUNT } } });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const rows: IDataObject[] = Array.from({ length: COUNT }, (_, i) => ({
  phone: 380500000000 + i,
  text: `Row ${i}`,
}));

async function send(settings: IDataObject = {}) {
  return await runNode({
    parameters: smsForm({
      smsMessage: '={{ $json.text }}',
      options: { batchSize: BATCH, ...settings },
    }),
    items: rows,
    credentials: credentialsFor(sandbox, KEY),
    onError: 'continueRegularOutput',
    retryOnFail: true,
    maxTries: 5,
    waitBetweenTries: 1,
  });
}

/** What the sandbox took of each row, and what the node says of it, compared. */
function audit(output: IDataObject[]) {
  const tally = { accepted: 0, unknown: 0, unsent: 0, doubled: 0, wrong: 0 };
  const byPhone = new Map<number, number>();
  for (const message of sandbox.messages.list()) {
    byPhone.set(message.phone, (byPhone.get(message.phone) ?? 0) + 1);
  }
  output.forEach((json, i) => {
    const taken = byPhone.get(rows[i].phone as number) ?? 0;
    if (taken > 1) tally.doubled += 1;
    const [message] = sandbox.messages.byPhone(rows[i].phone as number);
    if (json.error === undefined) {
      tally.accepted += 1;
      const right = taken === 1 && json.phone === rows[i].phone && json.id === message.id;
      if (!right || (json.msg_id !== undefined && json.msg_id !== message.msgId)) tally.wrong += 1;
    } else if (json.state === 'unknown') {
      tally.unknown += 1;
    } else {
      tally.unsent += 1;
      if (taken > 0) tally.wrong += 1;
    }
  });
  return tally;
}

/** Once, and at the beginning: each of them halves the batches of the rest of the run. */
const TOO_LARGE = { kind: 'too-large', times: 1 } as const;

it('5% of the requests fail in every quick way: all of them arrive once, with their own results', async () => {
  sandbox.faults.add(TOO_LARGE);
  sandbox.faults.add({ kind: QUICK, share: 0.05, seed: 7, retryAfter: 0, sparesStatus: false });
  const run = await send();
  const tally = audit(run.json);
  console.log(`${COUNT} messages, faults ${JSON.stringify(sandbox.faults.struck)}: ${JSON.stringify(tally)}`);
  expect(run.json).toHaveLength(COUNT);
  expect(tally).toEqual({ accepted: COUNT, unknown: 0, unsent: 0, doubled: 0, wrong: 0 });
  expect(JSON.stringify(run.execution)).not.toContain('fault-probe');
});

it('40% of the requests fail, some of them past the time-out: what is not known is said, and nothing is doubled', async () => {
  sandbox.faults.add(TOO_LARGE);
  sandbox.faults.add({ kind: SLOW, share: 0.08, seed: 11, delayMs: 1500 });
  sandbox.faults.add({ kind: QUICK, share: 0.35, seed: 13, retryAfter: 0, sparesStatus: false });
  const run = await send({ parallelRequests: 4, timeout: 1 });
  const tally = audit(run.json);
  console.log(`${COUNT} messages, faults ${JSON.stringify(sandbox.faults.struck)}: ${JSON.stringify(tally)}`);
  expect(run.json).toHaveLength(COUNT);
  expect(tally).toMatchObject({ doubled: 0, wrong: 0 });
  expect(tally.accepted + tally.unknown + tally.unsent).toBe(COUNT);
  expect(tally.accepted).toBeGreaterThan(COUNT * 0.8);
  expect(JSON.stringify(run.execution)).not.toContain('fault-probe');
});
