/** How the model gateway writes its answers, and what comes back in their place. */
import type { FullResponse, ModelGateway, ResultItem, Work } from './gateway.mts';
import { networkError } from './gateway.mts';
import type { Random } from './random.mts';
import type { GatewayTraits } from './scenario.mts';
import { isGentle } from './scenario.mts';

const HTML = '<!DOCTYPE html><html><body><h1>Something else</h1></body></html>';
export const GATEWAY_FAULTS = ['Internal server error', 'Database error', 'System error 17'] as const;
export const TRY_LATER = ['Service temporarily unavailable', 'Too many requests', 'Try again later'] as const;

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

export const refusal = (error: string, { style }: GatewayTraits, statusCode = 200): TextResponse =>
  json(
    { success: style === 'integers' ? 0 : false, error, ...(style === 'nulls' && { data: null }) },
    statusCode,
  );

/** The answer of the synchronous endpoint, as this gateway writes it. */
export function results(items: ResultItem[], traits: GatewayTraits): TextResponse {
  const { style } = traits;
  const truth = (value: boolean) => (style === 'integers' ? Number(value) : value);
  const data = items.map(({ success, error, data: payload }) => ({
    success: truth(success),
    ...(error !== undefined ? { error } : style === 'nulls' && { error: null }),
    ...(payload && {
      data: style === 'stringIds' && 'id' in payload ? { ...payload, id: String(payload.id) } : payload,
    }),
  }));
  return json({ success: truth(true), ...(style === 'nulls' && { error: null }), data });
}

export function answerOf(
  gateway: ModelGateway,
  { refusal: error, items }: Work,
  endpoint: 'sync' | 'async',
): TextResponse {
  const { traits } = gateway;
  if (error !== undefined) return refusal(error, traits, gateway.random.chance(0.2) ? 400 : 200);
  if (endpoint === 'sync') return results(items, traits);
  const { style } = traits;
  return json({
    success: style === 'integers' ? 1 : true,
    ...(style === 'nulls' && { error: null }),
    request_id: gateway.nextQueueNumber(),
  });
}

export function rateLimit({ random, clock, traits }: ModelGateway): FullResponse {
  const seconds = random.pick([0, 1, 3, 20, isGentle(traits) ? 40 : 300]);
  const after = random.weighted([
    [3, undefined],
    [2, String(seconds)],
    [1, new Date(clock.now + 1000 * seconds).toUTCString()],
  ]);
  const response = random.chance(0.7) ? html(429) : refusal('Too many requests', traits, 429);
  return {
    ...response,
    headers: { ...response.headers, ...(after !== undefined && { 'retry-after': after }) },
  };
}

export function serverError(random: Random, traits: GatewayTraits, status: number): FullResponse {
  const words = random.pick([
    ...GATEWAY_FAULTS,
    ...TRY_LATER,
    'Access denied',
    'Out of order',
    'Message not found',
  ]);
  return random.weighted([
    [3, html(status)],
    [4, refusal(words, traits, status)],
    [1, { statusCode: status, headers: {}, body: '' }],
  ]);
}

/** A body whose connection breaks in the middle. */
export async function* brokenOff(beginning: string): AsyncGenerator<string> {
  yield beginning;
  throw await Promise.resolve(networkError('ECONNRESET', 'aborted'));
}
