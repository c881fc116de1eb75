/** Bulk sends through a gateway that keeps to the contract, while something breaks or is refused. */
import type { FaultContext, FaultPlan } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import {
  action,
  CREDENTIAL_TYPE,
  credentialData,
  realN8n,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import { grouped, senderNamed, smsForm } from '../support/sends.mts';

interface Case {
  rows: number;
  timeoutSeconds?: number;

  /** What goes wrong with requests to send; made anew for each run. */
  fault?(): FaultPlan;

  /** The names of senders that the gateway hasn't approved, by the place of the row. */
  isForeign?(place: number): boolean;

  /** Rows that are refused. */
  refused: number;

  /** Requests to send at most. */
  mostSends: number;
}

const FIRST_PHONE = 380500000000;
const BAD_PHONE = FIRST_PHONE + 777;

/** Whether a request has more than ten messages a second. */
function limiter(): (request: FaultContext) => boolean {
  let spare = 10;
  let lastMs = Date.now();
  return ({ items }) => {
    spare = Math.min(10, spare + (Date.now() - lastMs) / 100);
    lastMs = Date.now();
    if (items > spare) return true;
    spare -= items;
    return false;
  };
}

const CASES: Record<string, Case> = {
  'an answer that is lost after the gateway took the messages': {
    rows: 1000,
    fault: () => ({ kind: 'drop-after', after: 1, times: 1 }),
    ...{ refused: 0, mostSends: 3 },
  },
  'a front that answers 503 for a gateway which takes the messages 20 seconds later': {
    rows: 60,
    fault: () => ({ kind: 'status-before', status: 503, commitDelay: 20_000 }),
    ...{ refused: 0, mostSends: 1 },
  },
  'a time limit that is over before the gateway takes the messages': {
    rows: 60,
    timeoutSeconds: 2,
    fault: () => ({ kind: 'hang-after', commitDelay: 8000 }),
    ...{ refused: 0, mostSends: 1 },
  },
  'a limit of ten messages a second': {
    rows: 100,
    fault: () => ({ kind: 'status-before', status: 429, when: limiter() }),
    ...{ refused: 0, mostSends: 30 },
  },
  'a message for which the gateway refuses a request of 1,000': {
    rows: 1000,
    fault: () => ({
      kind: 'status-before',
      status: 400,
      when: ({ body }) => (body as Array<{ phone: number }>).some(({ phone }) => phone === BAD_PHONE),
    }),
    ...{ refused: 1, mostSends: 25 },
  },
  '30 of 1,000 messages that the gateway refuses': {
    rows: 1000,
    isForeign: (place) => place % 100 < 3,
    ...{ refused: 30, mostSends: 5 },
  },
};

// The cases wait more than they compute.
it.concurrent.each(Object.entries(CASES))(
  'takes each message once, and reports each as it was: %s',
  async (title, { timeoutSeconds, fault, isForeign, ...one }) => {
    const { client } = await realN8n();
    const sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
    try {
      if (fault) sandbox.faults.add(fault());
      const credential = await client.createCredential(title, CREDENTIAL_TYPE, credentialData(sandbox));
      const items = Array.from({ length: one.rows }, (_, place) => ({
        phone: FIRST_PHONE + place,
        sender: isForeign?.(place) ? 'Foreign' : 'TestSender',
      }));
      const options = timeoutSeconds === undefined ? {} : grouped({ timeout: timeoutSeconds });
      const form = smsForm({ smsSignature: senderNamed('={{ $json.sender }}'), options });
      const send = action('Send', credential, form, { onError: 'continueRegularOutput' });
      const execution = await client.runToEnd(workflow([rows('Rows', items), send]), START);
      await sandbox.settled();
      const taken = sandbox.messages.list().map(({ phone }) => phone);
      const said = execution
        .json('Send')
        .map(({ phone, error, result }) => [phone, error ? result : 'accepted']);
      expect(said).toEqual(items.map(({ phone }) => [phone, taken.includes(phone) ? 'accepted' : 'refused']));
      expect(taken.length).toBe(new Set(taken).size);
      expect(taken.length).toBe(one.rows - one.refused);
      const sends = sandbox.requests.filter(({ raw }) => !raw.includes('"type":"status"'));
      expect(sends.length).toBeLessThanOrEqual(one.mostSends);
    } finally {
      await sandbox.close();
    }
  },
);
