/** Bulk sends through a gateway that keeps to the contract, while something breaks or is refused. */
import { setTimeout as wait } from 'node:timers/promises';

import { action, CREDENTIAL_TYPE, realN8n, rows, START, workflow } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';
import { sendJson, startWebServer } from '../support/web-server.mts';

interface Operation {
  type: string;
  id: number;
  phone: number;
}

/** A request to send. */
interface Visit {
  operations: Operation[];

  /** Its number among the requests to send, from 1. */
  number: number;

  /** Takes all messages of the request. */
  take(): void;

  /** Answers with a result for each message, and takes those that aren't refused. */
  answer(isRefused?: (operation: Operation) => boolean): void;

  /** Answers with a code and no words. */
  refuse(code: number): void;

  /** Breaks the connection. */
  reset(): void;
}

type Conduct = (visit: Visit) => unknown;

interface Case {
  rows: number;
  options?: { timeout: number };

  /** The gateway's conduct when it is sent messages; made anew for each run. */
  conduct(): Conduct;

  /** Rows that are refused. */
  refused: number;

  /** Requests to send at most. */
  mostSends: number;
}

const FIRST_PHONE = 380500000000;
const BAD_PHONE = FIRST_PHONE + 777;

/** Answers 429 to what is more than ten messages a second. */
function limiter(): Conduct {
  let spare = 10;
  let lastMs = Date.now();
  return ({ operations, answer, refuse }) => {
    spare = Math.min(10, spare + (Date.now() - lastMs) / 100);
    lastMs = Date.now();
    if (operations.length > spare) return refuse(429);
    spare -= operations.length;
    answer();
  };
}

const CASES: Record<string, Case> = {
  'an answer that is lost after the gateway took the messages': {
    rows: 250,
    conduct:
      () =>
      ({ number, take, answer, reset }) => {
        if (number !== 2) return answer();
        take();
        reset();
      },
    ...{ refused: 0, mostSends: 3 },
  },
  'a front that answers 503 for a gateway which takes the messages 20 seconds later': {
    rows: 60,
    conduct:
      () =>
      async ({ take, refuse }) => {
        refuse(503);
        await wait(20_000);
        take();
      },
    ...{ refused: 0, mostSends: 1 },
  },
  'a time limit that is over before the gateway takes the messages': {
    rows: 60,
    options: { timeout: 2 },
    conduct:
      () =>
      async ({ take }) => {
        await wait(8000);
        take();
      },
    ...{ refused: 0, mostSends: 1 },
  },
  'a limit of ten messages a second': {
    rows: 100,
    conduct: limiter,
    ...{ refused: 0, mostSends: 100 },
  },
  'a message for which the gateway refuses a request of 1,000': {
    rows: 1000,
    conduct:
      () =>
      ({ operations, answer, refuse }) =>
        operations.some(({ phone }) => phone === BAD_PHONE) ? refuse(400) : answer(),
    ...{ refused: 1, mostSends: 25 },
  },
  '30 of 1,000 messages that the gateway refuses': {
    rows: 1000,
    conduct:
      () =>
      ({ answer }) =>
        answer(({ phone }) => phone % 100 < 3),
    ...{ refused: 30, mostSends: 5 },
  },
};

/** Starts a gateway that `conduct` describes; `status` tells the truth. `taken` counts how often it took a number. */
async function startGateway(conduct: Conduct) {
  const taken = new Map<number, number>();
  const ids = new Set<number>();
  const sends: Operation[][] = [];
  const takeAll = (operations: Operation[]): void => {
    for (const { id, phone } of operations) {
      ids.add(id);
      taken.set(phone, (taken.get(phone) ?? 0) + 1);
    }
  };
  const { url, close } = await startWebServer((response, { body }) => {
    const { data: operations } = JSON.parse(body) as { data: Operation[] };
    const answer = (isRefused: (operation: Operation) => boolean) => {
      const data = operations.map((operation) => {
        const { id, type } = operation;
        return isRefused(operation)
          ? { success: false, error: 'No such message', data: { id } }
          : { success: true, data: { id, msg_id: 1, ...(type === 'status' && { status: 'ACCEPTED' }) } };
      });
      sendJson(response, { success: true, data });
    };
    if (operations[0].type === 'status') return answer(({ id }) => !ids.has(id));
    sends.push(operations);
    return conduct({
      operations,
      number: sends.length,
      take: () => takeAll(operations),
      answer: (isRefused = () => false) => {
        takeAll(operations.filter((operation) => !isRefused(operation)));
        answer(isRefused);
      },
      refuse: (code) => void response.writeHead(code).end(),
      reset: () => void response.destroy(),
    });
  });
  return { url, close, taken, sends };
}

// The cases wait more than they compute.
it.concurrent.each(Object.entries(CASES))(
  'takes each message once, and reports each as it was: %s',
  async (title, one) => {
    const { client } = await realN8n();
    const gateway = await startGateway(one.conduct());
    try {
      const { url } = gateway;
      const credential = await client.createCredential(title, CREDENTIAL_TYPE, {
        apiKey: 'a-key-of-tests',
        ...{ baseUrl: url, asyncUrl: url, mcpUrl: url },
      });
      const phones = Array.from({ length: one.rows }, (_, i) => FIRST_PHONE + i);
      const send = action('Send', credential, smsForm({ options: one.options ?? {} }), {
        onError: 'continueRegularOutput',
      });
      const items = phones.map((phone) => ({ phone }));
      const execution = await client.runToEnd(workflow([rows('Rows', items), send]), START);
      const said = execution
        .json('Send')
        .map(({ phone, error, state }) => [phone, error ? state : 'accepted']);
      expect(said).toEqual(phones.map((phone) => [phone, gateway.taken.has(phone) ? 'accepted' : 'refused']));
      expect([...gateway.taken.values()].filter((times) => times > 1)).toEqual([]);
      expect(gateway.taken.size).toBe(one.rows - one.refused);
      expect(gateway.sends.length).toBeLessThanOrEqual(one.mostSends);
    } finally {
      await gateway.close();
    }
  },
);
