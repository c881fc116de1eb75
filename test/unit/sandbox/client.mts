/** How the sandbox's own tests talk to it: plain fetch, nothing of the nodes. */
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { SEND_SHAPES } from '../../../sandbox/operations/fields.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { operationOf } from '../../support/contract-samples.mts';
import { startWebServer } from '../../support/web-server.mts';

export interface Item {
  success: boolean;
  error?: string;
  data: Record<string, unknown>;
}

export interface Envelope {
  success: boolean;
  error?: string;
  data: Item[];
  request_id?: string;
}

export type Operation = Record<string, unknown>;

/** What a client of the connector sends, with the right key. */
export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${DEFAULT_KEY}`,
};

/** Posts any body to any address. */
export function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  signal?: AbortSignal,
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', headers, body: text, signal });
}

/** Sends operations to the synchronous endpoint. */
export async function run(sandbox: Sandbox, data: unknown, auth: unknown = DEFAULT_KEY): Promise<Envelope> {
  const response = await post(`${sandbox.baseUrl}/api/json.php`, { auth, data });
  return (await response.json()) as Envelope;
}

/** Sends one operation and returns its result. */
export async function runOne(sandbox: Sandbox, operation: Operation): Promise<Item> {
  return (await run(sandbox, [operation])).data[0];
}

/** Sends operations to the asynchronous endpoint. */
export async function queue(sandbox: Sandbox, data: unknown, auth: unknown = DEFAULT_KEY): Promise<Envelope> {
  const response = await post(`${sandbox.asyncUrl}/v1/json`, { auth, data });
  return (await response.json()) as Envelope;
}

/** A good operation of each type that has a number, with the id 1. */
export const GOOD: Record<string, Operation> = Object.fromEntries(
  [...Object.keys(SEND_SHAPES), 'call/otp', 'hlr'].map((type) => [type, { ...operationOf(type), id: 1 }]),
);

/**
 * Listens for callbacks.
 * @param answer status for each callback, by how many came before; default 200
 */
export async function listenForCallbacks(answer: (before: number) => number = () => 200) {
  const received: Array<{ body: Operation; at: number }> = [];
  const { url, close } = await startWebServer((response, { body }) => {
    response.writeHead(answer(received.length)).end();
    received.push({ body: JSON.parse(body) as Operation, at: Date.now() });
  });
  return { url: `${url}/hook`, received, close };
}

export type Hook = Awaited<ReturnType<typeof listenForCallbacks>>;
