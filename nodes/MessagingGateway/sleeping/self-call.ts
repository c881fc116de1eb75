import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

/** What a node sends to its own sleeping execution, whose data only n8n can load. */
export interface SelfCall {
  /** Key of the sleep. */
  sleep: string;
  /** `adopt`: the process that gets the call looks after the sleep. `resume`: the execution wakes. */
  todo: 'adopt' | 'resume';
}

/**
 * `asleep`: the call was taken, and the execution sleeps on. `running`: it does not sleep now. `over`: this sleep has
 * ended. `later`: nobody who knows answered.
 */
export type SelfAnswer = 'asleep' | 'running' | 'over' | 'later';

/** Our own answers to such a call. */
export const ASLEEP = { sleeping: true };
export const WOKEN = { sleeping: false };

/** Returns the body of a call as a call of the node itself; undefined if it isn't one. */
export function asSelfCall(body: unknown): SelfCall | undefined {
  const { sleep, todo } = (body ?? {}) as Partial<Record<keyof SelfCall, unknown>>;
  if (typeof sleep !== 'string' || (todo !== 'adopt' && todo !== 'resume')) return undefined;
  return { sleep, todo };
}

/** Makes one call to the own execution. Does not throw. */
export type PostSelf = (call: SelfCall) => Promise<SelfAnswer>;

const TIMEOUT = 300_000;

/** Returns the function that calls the execution by one of its addresses, the first that leads to it. */
export function selfCaller(
  httpRequest: (options: IHttpRequestOptions) => Promise<unknown>,
  addresses: string[],
): PostSelf {
  return async (call) => {
    let answer: SelfAnswer = 'later';
    for (const url of addresses) {
      answer = await post(httpRequest, url, call);
      if (answer !== 'later') break;
    }
    return answer;
  };
}

async function post(
  httpRequest: (options: IHttpRequestOptions) => Promise<unknown>,
  url: string,
  call: SelfCall,
): Promise<SelfAnswer> {
  try {
    const response = (await httpRequest({
      method: 'POST',
      url,
      body: { ...call } satisfies IDataObject,
      json: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
      timeout: TIMEOUT,
    })) as { statusCode: number; body: unknown };
    return readSelfAnswer(response.statusCode, response.body);
  } catch {
    // n8n can't be reached at this address now; another address, or a later call, may lead to it.
    return 'later';
  }
}

/**
 * Reads the answer to a call: ours, or n8n's for an execution that is running (409), has ended (409) or is gone (404).
 * Whatever else answers, such as a proxy or an n8n that is starting, knows nothing about the sleep.
 */
export function readSelfAnswer(status: number, body: unknown): SelfAnswer {
  if (typeof body !== 'object' || body === null) return 'later';
  const { sleeping, error, message } = body as Record<string, unknown>;
  if (status === 200 && typeof sleeping === 'boolean') return sleeping ? 'asleep' : 'over';
  if (status === 410 && typeof error === 'string') return 'over';
  if (typeof message !== 'string') return 'later';
  if (status === 409 && message.includes('running')) return 'running';
  if (status === 409 && message.includes('finished')) return 'over';
  const isGone = message.includes('does not exist') || message.includes('matching path/method');
  return status === 404 && isGone ? 'over' : 'later';
}
