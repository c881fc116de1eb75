import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

/** What a node sends to its own sleeping execution, whose data only n8n can load. */
export interface SelfCall {
  /** Key of the sleep. */
  sleep: string;
  /** `look`: nothing, but the answer says whether it sleeps. `resume`: the execution wakes. */
  todo: 'look' | 'resume';
}

const TODOS: unknown[] = ['look', 'resume'] satisfies Array<SelfCall['todo']>;

/**
 * `asleep`: the call was taken, and the execution sleeps on. `awake`: it has ended, or runs, as it does until n8n has saved
 * it. `over`: this sleep has ended. `unclear`: no conclusive answer; retry.
 */
export type SelfAnswer = 'asleep' | 'awake' | 'over' | 'unclear';

/** Our own answers to such a call. */
export const ASLEEP = { sleeping: true };
export const WOKEN = { sleeping: false };

/** Returns the body of a call as a call of the node itself; undefined if it isn't one. */
export function asSelfCall(body: unknown): SelfCall | undefined {
  const { sleep, todo } = (body ?? {}) as Partial<Record<keyof SelfCall, unknown>>;
  return typeof sleep === 'string' && TODOS.includes(todo)
    ? { sleep, todo: todo as SelfCall['todo'] }
    : undefined;
}

/** Makes one call to the own execution. Does not throw. */
type PostSelf = (call: SelfCall) => Promise<SelfAnswer>;

const TIMEOUT = 300_000;

type Request = (options: IHttpRequestOptions) => Promise<unknown>;

/** An address of the execution, and whether an answer from it has shown that the execution slept. */
interface CallPlace {
  url: string;
  wasAsleep: boolean;
}

/**
 * Returns the function that calls the execution by one of its addresses, in turn until an answer is conclusive, one at
 * which it was seen asleep first. `warn` gets the reasons, by host, the first time that none leads to it.
 */
export function selfCaller(
  httpRequest: Request,
  addresses: string[],
  warn: (reasons: string) => void,
): PostSelf {
  const places = addresses.map((url): CallPlace => ({ url, wasAsleep: false }));
  let hasWarned = false;
  return async (call) => {
    const reasons: string[] = [];
    let isGone = false;
    for (const place of [...places].sort((a, b) => Number(b.wasAsleep) - Number(a.wasAsleep))) {
      const { answer, reason } = await post(httpRequest, place, call);
      if (answer === 'asleep') place.wasAsleep = true;
      if (answer !== 'unclear' && answer !== 'gone') return answer;
      isGone ||= answer === 'gone';
      reasons.push(`${new URL(place.url).host}: ${reason}`);
    }
    if (isGone) return 'over';
    if (!hasWarned) warn(reasons.join('; '));
    hasWarned = true;
    return 'unclear';
  };
}

async function post(
  httpRequest: Request,
  { url, wasAsleep }: CallPlace,
  call: SelfCall,
): Promise<{ answer: SelfAnswer | 'gone'; reason: string }> {
  try {
    const { statusCode, body } = (await httpRequest({
      method: 'POST',
      url,
      body: { ...call } satisfies IDataObject,
      json: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
      timeout: TIMEOUT,
    })) as { statusCode: number; body: unknown };
    return { answer: readSelfAnswer(statusCode, body, wasAsleep), reason: `HTTP status ${statusCode}` };
  } catch (error) {
    // n8n can't be reached at this address now; another address, or a later call, may lead to it.
    const { code, message } = error as { code?: string; message?: string };
    return { answer: 'unclear', reason: code ?? message ?? 'no answer' };
  }
}

/**
 * Reads the answer to a call: ours, or n8n's for an execution that is running or has ended (409) or that it doesn't have, or
 * that sleeps in another node (404, `gone`: another n8n may answer at this address). What was seen asleep at this address is
 * over with either. Whatever else answers, such as a proxy or an n8n that is starting, knows nothing about the sleep: n8n's
 * own answers repeat the status as `code`.
 */
export function readSelfAnswer(status: number, body: unknown, wasAsleep: boolean): SelfAnswer | 'gone' {
  const { sleeping, error, code } = (body ?? {}) as Record<string, unknown>;
  if (status === 200 && typeof sleeping === 'boolean') return sleeping ? 'asleep' : 'over';
  if (status === 410 && typeof error === 'string') return 'over';
  if ((status !== 404 && status !== 409) || code !== status) return 'unclear';
  if (wasAsleep) return 'over';
  return status === 409 ? 'awake' : 'gone';
}
