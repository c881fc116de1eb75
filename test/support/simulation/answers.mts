/** How the model gateway writes its answers. */
import type { FullResponse, ResultItem } from './exchange.mts';
import type { GatewayView } from './gateway-view.mts';
import { networkError } from './exchange.mts';
import type { Random } from './random.mts';
import type { GatewayTraits } from './scenario.mts';

const HTML = '<!DOCTYPE html><html><body><h1>Something else</h1></body></html>';

/** A response whose body comes as a whole. */
export type TextResponse = FullResponse & { body: string };

export const json = (value: unknown, statusCode = 200): TextResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

export const html = (statusCode: number): TextResponse => ({
  statusCode,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: HTML,
});

export const empty = (statusCode: number): TextResponse => ({ statusCode, headers: {}, body: '' });

const truth = (value: boolean, { style }: GatewayTraits): boolean | number =>
  style === 'integers' ? Number(value) : value;

/** A field that says "none", as this gateway writes it where another leaves it out. */
const none = (name: 'error' | 'data', { style }: GatewayTraits): Record<string, unknown> => {
  if (style === 'nulls') return { [name]: null };
  if (style === 'php') return { [name]: name === 'error' ? false : [] };
  return style === 'integers' && name === 'error' ? { error: 0 } : {};
};

/** The results with fields that differ from result to result, and say nothing of the message. */
export function withNoise(items: ResultItem[], { traits, manners, clock }: GatewayView): ResultItem[] {
  const { noise } = traits;
  if (noise.length === 0) return items;
  return items.map((item, index) => {
    const fields: Record<string, () => unknown> = {
      index: () => index,
      trace: () => `${manners.between(0, 2 ** 31).toString(16)}-${manners.between(0, 2 ** 31).toString(16)}`,
      took: () => manners.between(0, 40) / 10,
      server: () => `node-${manners.pick(['a', 'b', 'c'])}`,
      clock: () => new Date(clock.wall + index).toISOString(),
    };
    const extra = Object.fromEntries(noise.map((name) => [name, fields[name]()]));
    return { ...item, data: { ...item.data, ...extra } };
  });
}

/** The fields of a result that say nothing of the message and have so few values that two answers often have the same. */
export const fewValued = ({ data }: ResultItem): unknown[] => [data?.server, data?.took];

/** A refusal of the whole request. */
export const refusal = (words: string, traits: GatewayTraits, statusCode = 200): TextResponse =>
  json({ success: truth(false, traits), error: words, ...none('data', traits) }, statusCode);

/** A result for each operation. */
export function results(items: ResultItem[], traits: GatewayTraits): TextResponse {
  const data = items.map(({ success, error, data: payload }) => ({
    success: truth(success, traits),
    ...(error === undefined ? none('error', traits) : { error }),
    ...(payload !== undefined && {
      data:
        payload && traits.style === 'stringIds' && 'id' in payload
          ? { ...payload, id: String(payload.id) }
          : payload,
    }),
  }));
  return json({ success: truth(true, traits), ...none('error', traits), data });
}

/** The answer of a queue, with the results of those that it refuses at once, if it tells. */
export function acknowledgement(
  traits: GatewayTraits,
  requestId: string,
  items: ResultItem[] = [],
): TextResponse {
  const answer = { success: truth(true, traits), ...none('error', traits), request_id: requestId };
  if (!items.some(({ success }) => !success)) return json(answer);
  const { data } = JSON.parse(results(items, traits).body) as { data: unknown };
  return json({ ...answer, data });
}

/** A refusal because of too many requests, and the milliseconds that it asks for, in figures or by a date; `longer`: more seconds that it may ask for. */
export function rateLimit(
  random: Random,
  now: number,
  words?: string,
  longer: readonly number[] = [],
): { response: FullResponse; wait?: number; isDate?: boolean } {
  const seconds = random.pick([0, 1, 3, 20, 40, 60, ...longer]);
  const form = random.weighted([
    [3, 'none'],
    [3, 'seconds'],
    [1, 'date'],
  ]);
  const response = words === undefined ? html(429) : json({ success: false, error: words }, 429);
  if (form === 'none') return { response };
  const value = form === 'seconds' ? String(seconds) : new Date(now + 1000 * seconds).toUTCString();
  return {
    response: { ...response, headers: { ...response.headers, 'retry-after': value } },
    wait: 1000 * seconds,
    // A date has no milliseconds, and counts by the clock of the machine, which may have been set.
    isDate: form === 'date',
  };
}

/** A body whose connection breaks in the middle. */
export async function* brokenOff(beginning: string): AsyncGenerator<string> {
  yield beginning;
  throw await Promise.resolve(networkError('ECONNRESET', 'aborted'));
}
