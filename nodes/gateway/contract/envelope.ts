import { z } from 'zod';

/** Requests and responses of both endpoints. Source: gateway-api.md, "Request envelope" to "Asynchronous response". */

/** Paths of the endpoints, after the addresses of the credential ("Endpoints"). */
export const ENDPOINT_PATHS = {
  sync: '/api/json.php',
  async: '/v1/json',
  connector: '/mcp',
  health: '/health',
} as const;

// Some tables of the contract call `success` an integer; a gateway that sends 1 or 0 is understood.
const success = z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean);

/** Some gateways write null where the contract leaves a field out. */
const absent = z.null().transform(() => undefined);
const error = z.union([z.string(), absent]).optional();

/** One result of the synchronous endpoint. `data` depends on the operation type. */
export const resultItemSchema = z
  .object({ success, error, data: z.unknown() })
  .passthrough();
export type ResultItem = z.infer<typeof resultItemSchema>;

/** The answer of the synchronous endpoint: refused as a whole, or one result for each operation. */
export const syncResponseSchema = z
  .object({ success, error, data: z.union([z.array(resultItemSchema), absent]).optional() })
  .passthrough();
export type SyncResponse = z.infer<typeof syncResponseSchema>;

/** The answer of the asynchronous endpoint. */
export const asyncResponseSchema = z
  .object({
    success,
    error,
    request_id: z.union([z.string(), z.number().transform(String), absent]).optional(),
  })
  .passthrough();

const wholeNumber = /^(0|[1-9]\d*)$/;

/**
 * Gives identifiers one type: a number when the value is a whole number up to 2^53, the value itself otherwise,
 * so that `id` and `msg_id` of a send and of its callback join without a conversion.
 */
export function typedIdentifier<T>(value: T): T | number {
  if (typeof value !== 'string' || !wholeNumber.test(value)) return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
