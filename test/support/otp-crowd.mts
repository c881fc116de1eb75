/** A crowd at a public form or page: strangers who submit numbers again and again, and honest visitors in between. */
import type { IDataObject } from 'n8n-workflow';

import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { until } from '../../tools/until.mts';
import { callHook } from './otp-host.mts';

/** Submissions that are made at the same time. */
const AT_ONCE = 20;

/** What a crowd does at a form or page. */
export interface Entrance {
  /** Submits a number; returns the HTTP status. */
  submit(phone: number): Promise<number>;
  /** Asks for a code, enters it, and returns whether the number was confirmed. */
  visit(phone: number): Promise<boolean>;
}

export interface Crowd extends Entrance {
  /** Submissions of strangers. */
  submissions: number;
  /** How many numbers they submit, of which the first eighth gets a third of the submissions. */
  numbers: number;
  /** The smallest number of a stranger; those of visitors are below it. */
  firstStranger: number;
  /** How many honest visitors come, spread evenly among the strangers. */
  visitors: number;
}

export interface CrowdCount {
  seconds: number;
  /** How often each HTTP status was answered to strangers. */
  statuses: Record<string, number>;
  /** Honest visitors who came, and those whose number was confirmed. */
  visitors: number;
  confirmed: number;
}

/** Lets a crowd in, and counts what became of it. */
export async function admit(crowd: Crowd): Promise<CrowdCount> {
  const { submissions, numbers, firstStranger, visitors, submit, visit } = crowd;
  const statuses: Record<string, number> = {};
  const every = Math.max(1, Math.floor(submissions / AT_ONCE / Math.max(1, visitors)));
  const start = performance.now();
  let came = 0;
  let confirmed = 0;
  for (let n = 0; n < submissions; n += AT_ONCE) {
    const strangers = Array.from({ length: Math.min(AT_ONCE, submissions - n) }, async (_, i) => {
      const k = n + i;
      const status = await submit(firstStranger + Math.floor((k % numbers) / (k % 3 === 0 ? 8 : 1)));
      statuses[status] = (statuses[status] ?? 0) + 1;
    });
    if (came < visitors && (n / AT_ONCE) % every === 0) {
      came += 1;
      if (await visit(firstStranger - came)) confirmed += 1;
    }
    await Promise.all(strangers);
  }
  return { seconds: (performance.now() - start) / 1000, statuses, visitors: came, confirmed };
}

/** The codes that strangers got: all of them, and the most that went to one number. */
export function countCodes(phones: readonly number[], firstStranger: number): { all: number; most: number } {
  const strangers = phones.filter((phone) => phone >= firstStranger);
  const counts = new Map<number, number>();
  for (const phone of strangers) counts.set(phone, (counts.get(phone) ?? 0) + 1);
  return { all: strangers.length, most: Math.max(0, ...counts.values()) };
}

/** Calls `look` until it returns something. @throws Error after half a minute */
export const lookFor = async <T,>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> => await until(30_000, what, look);

/** The example of a web page, published with this addition to its paths; `codeFor` reads a visitor's phone. */
export function webPageEntrance(
  client: N8nClient,
  path: string,
  codeFor: (phone: number) => Promise<string>,
): Entrance {
  const call = async (what: 'send' | 'verify', body: IDataObject) =>
    await callHook(client, `one-time-password-${path}-${what}`, body);
  return {
    submit: async (phone) => (await call('send', { phone })).status,
    async visit(phone) {
      const sent = await call('send', { phone });
      const { status, challenge } = sent;
      if (status !== 200 || typeof challenge !== 'string') {
        throw new Error(`A visitor got no code: ${JSON.stringify(sent)}`);
      }
      const { valid } = await call('verify', { challenge, phone, code: await codeFor(phone) });
      return valid === true;
    },
  };
}
