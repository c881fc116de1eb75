import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Report } from '../../gateway/delivery/reports';

/**
 * Result of a call of the own execution. `asleep`: the execution sleeps on. `over`: this sleep has ended. `awake`: the execution
 * runs, as until n8n has saved it, or has ended, or isn't there. `locked`: the execution is there, and the call had no token.
 * `unreachable`: nothing answered, or something other than n8n.
 */
export type SelfAnswer =
  | { is: 'asleep' | 'over' | 'awake' | 'locked' }
  | { is: 'unreachable'; reason: string };

/** Milliseconds of a call: in another process, the webhook asks the gateway about all open messages before it answers. */
const TIMEOUT_MS = 60_000;

/** n8n's address on its own machine, unless its port is set. */
const INSIDE = 'http://127.0.0.1:5678';

/** A way out of n8n: any context has one, whichever execution is called. */
type Way = Pick<IExecuteFunctions | IWebhookFunctions, 'helpers'>;

/**
 * The call of an execution that sleeps. With a key, a POST to `resumeAddress` with the reports on its messages, which ends that sleep.
 * Without one, a GET at an address of `signedAddress`: the execution finds out by itself whether it is to go on.
 */
export interface SelfCall {
  address: string;
  key?: string;
  reports?: readonly Report[];
}

/**
 * Calls an execution at its own address. Does not throw. The public address may lead nowhere from inside: a router that doesn't turn
 * calls back, a login in front. Then this machine is called, at n8n's usual port; with n8n's token only after an n8n has said there,
 * without getting the token, that it has this execution. A signed address goes there as it is, and must open nothing to its reader.
 */
export async function callSelf(way: Way, { address, key, reports }: SelfCall): Promise<SelfAnswer> {
  const url = new URL(address);
  const waking =
    key === undefined
      ? ({ method: 'GET' } as const)
      : ({ method: 'POST', body: { wake: key, reports } } as const);
  const answer = await call(way, url, waking);
  if (answer.is !== 'unreachable') return answer;
  // A path in front of n8n's own is the public one's alone. Behind a token, the query has the node's id.
  const hasToken = key !== undefined && url.search !== '';
  const inside = new URL(
    `${INSIDE}/${url.pathname
      .split('/')
      .slice(hasToken ? -2 : -3)
      .join('/')}`,
  );
  if (hasToken && (await call(way, inside, { method: 'POST', body: {} })).is !== 'locked') return answer;
  const found = await call(way, new URL(inside.href + url.search), waking);
  return found.is === 'unreachable' ? answer : found;
}

/** Advice for administrators where n8n can't reach its own address. */
export const REACH_ADVICE =
  "Let n8n's own machine reach the address in WEBHOOK_URL: behind a proxy, name its host in NO_PROXY; with n8n's protection against SSRF, in N8N_SSRF_ALLOWED_HOSTNAMES.";

async function call(
  { helpers }: Way,
  url: URL,
  request: { method: 'GET' } | { method: 'POST'; body: object },
): Promise<SelfAnswer> {
  // The server itself is named as the proxy of a request without encryption: n8n's helper has no other way past HTTP_PROXY, which
  // would see the token. With https, the proxy sees none of the request.
  const isOpen = url.protocol === 'http:';
  try {
    const reply = (await helpers.httpRequest({
      ...request,
      url: url.href,
      json: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
      timeout: TIMEOUT_MS,
      ...(isOpen && { proxy: { host: url.hostname, port: Number(url.port || 80) } }),
    })) as { statusCode: number; body: unknown };
    return readSelfAnswer(reply.statusCode, reply.body);
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    return { is: 'unreachable', reason: code ?? message ?? 'no answer' };
  }
}

/**
 * Reads the answer to a call: ours, or n8n's for an execution that is running or has ended (409), that it doesn't have (404),
 * or that is called without its token (401). A proxy, or an n8n that is starting, knows nothing about the sleep: n8n's own
 * answers repeat the status as `code`.
 */
export function readSelfAnswer(status: number, body: unknown): SelfAnswer {
  const { sleeping, error, code } = (body ?? {}) as Record<string, unknown>;
  if (status === 200 && typeof sleeping === 'boolean') return { is: sleeping ? 'asleep' : 'over' };
  if (status === 410 && typeof error === 'string') return { is: 'over' };
  if (status === 401 && error === 'Invalid token') return { is: 'locked' };
  if (code === status && (status === 404 || status === 409)) return { is: 'awake' };
  return { is: 'unreachable', reason: `HTTP status ${status}` };
}
