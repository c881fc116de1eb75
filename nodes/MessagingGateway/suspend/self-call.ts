import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { resumeAddress } from './address';

/** What a node sends to its own sleeping execution, whose data only n8n can load. */
export interface SelfCall {
  sleep: string;

  /** `look`: nothing, but the answer says whether it sleeps. `resume`: the execution wakes. */
  todo: 'look' | 'resume';

  /** Messages that fail, each with the time since when: what the caller has seen over time, nobody else can see. */
  failing?: unknown[];
}

/** Returns the body of a call as a call of the node itself; undefined if it isn't one. */
export function asSelfCall(body: unknown): SelfCall | undefined {
  const { sleep, todo, failing } = (body ?? {}) as Partial<Record<keyof SelfCall, unknown>>;
  if (typeof sleep !== 'string' || (todo !== 'look' && todo !== 'resume')) return undefined;
  return { sleep, todo, ...(Array.isArray(failing) && { failing }) };
}

/**
 * `asleep`: the call was taken, and the execution sleeps on. `over`: this sleep has ended. `awake`: the execution has ended,
 * or runs, as it does until n8n has saved it, or isn't there. `unclear`: no conclusive answer; retry.
 */
export type SelfAnswer = 'asleep' | 'over' | 'awake' | 'unclear';

const TIMEOUT_MS = 300_000;

/** The port at which n8n listens unless it is told otherwise. */
const USUAL_PORT = '5678';

/**
 * Returns the function that calls this execution, which sleeps with this key, by one of its addresses: its public one, and,
 * since that may lead nowhere from inside (a router that doesn't turn calls back, a certificate of its own, a login in
 * front), this machine at the port of the public address or n8n's usual one. They are tried in turn until an answer is
 * conclusive, from then on that one first. The first time that none leads to the execution, n8n's log says why.
 */
export function selfCaller(
  context: IExecuteFunctions | IWebhookFunctions,
  key: string,
): (todo: SelfCall['todo'], failing?: readonly unknown[]) => Promise<SelfAnswer> {
  const url = resumeAddress(context);
  const { protocol, port, pathname, search } = new URL(url);
  const ports = new Set([protocol === 'http:' && port !== '' ? port : USUAL_PORT, USUAL_PORT]);
  const addresses = [url, ...Array.from(ports, (inside) => `http://127.0.0.1:${inside}${pathname}${search}`)];
  let hasWarned = false;
  return async (todo, failing = []) => {
    const call: SelfCall = { sleep: key, todo, ...(failing.length > 0 && { failing: [...failing] }) };
    const reasons: string[] = [];
    let isGone = false;
    for (const [i, address] of addresses.entries()) {
      const { answer, reason } = await post(context, address, call);
      // Another n8n may answer at this address.
      isGone ||= answer === 'gone';
      if (answer !== 'unclear' && answer !== 'gone') {
        addresses.unshift(...addresses.splice(i, 1));
        return answer;
      }
      reasons.push(`${new URL(address).host}: ${reason}`);
    }
    if (isGone) return 'awake';
    if (!hasWarned) {
      context.logger.warn(
        `Messaging Gateway, execution ${context.getExecutionId()}: n8n can't reach this waiting execution at its own address (${reasons.join('; ')}), so nothing wakes it before its limit. It tries again until then. Let n8n's own machine reach the address in WEBHOOK_URL.`,
      );
    }
    hasWarned = true;
    return 'unclear';
  };
}

/** Makes one call. Does not throw. */
async function post(
  { helpers }: IExecuteFunctions | IWebhookFunctions,
  url: string,
  call: SelfCall,
): Promise<{ answer: SelfAnswer | 'gone'; reason: string }> {
  try {
    const { statusCode, body } = (await helpers.httpRequest({
      method: 'POST',
      url,
      body: { ...call },
      json: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
      timeout: TIMEOUT_MS,
    })) as { statusCode: number; body: unknown };
    return { answer: readSelfAnswer(statusCode, body), reason: `HTTP status ${statusCode}` };
  } catch (error) {
    // n8n can't be reached at this address now; another address, or a later call, may lead to it.
    const { code, message } = error as { code?: string; message?: string };
    return { answer: 'unclear', reason: code ?? message ?? 'no answer' };
  }
}

/**
 * Reads the answer to a call: ours, or n8n's for an execution that is running or has ended (409) or that it doesn't have, or
 * that sleeps in another node (404, `gone`). Whatever else answers, such as a proxy or an n8n that is starting, knows
 * nothing about the sleep: n8n's own answers repeat the status as `code`.
 */
export function readSelfAnswer(status: number, body: unknown): SelfAnswer | 'gone' {
  const { sleeping, error, code } = (body ?? {}) as Record<string, unknown>;
  if (status === 200 && typeof sleeping === 'boolean') return sleeping ? 'asleep' : 'over';
  if (status === 410 && typeof error === 'string') return 'over';
  if (code !== status) return 'unclear';
  return status === 409 ? 'awake' : status === 404 ? 'gone' : 'unclear';
}
