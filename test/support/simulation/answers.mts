/** How the model gateway writes its answers. */
import type { FullResponse, ResultItem } from './gateway.mts';
import { networkError } from './gateway.mts';
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

/** The answer of a queue. */
export const acknowledgement = (traits: GatewayTraits, requestId: string): TextResponse =>
  json({ success: truth(true, traits), ...none('error', traits), request_id: requestId });

/** A refusal because of too many requests, and the milliseconds that it asks for. */
export function rateLimit(
  random: Random,
  now: number,
  words?: string,
): { response: FullResponse; wait?: number; isDate?: boolean } {
  const seconds = random.pick([0, 1, 3, 20, 40, 60]);
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
    // A date has no milliseconds, and counts by the clock of the machine, which may have been set.
    ...(form === 'seconds' ? { wait: 1000 * seconds } : { isDate: true }),
  };
}

/** A body whose connection breaks in the middle. */
export async function* brokenOff(beginning: string): AsyncGenerator<string> {
  yield beginning;
  throw await Promise.resolve(networkError('ECONNRESET', 'aborted'));
}
