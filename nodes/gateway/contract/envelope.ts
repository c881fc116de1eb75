import { z } from 'zod/v3';

/** Responses of both endpoints. Source: gateway-api.md, "Response envelope" and "Asynchronous response". */

/** The path of each endpoint, relative to its address in the credential ("Endpoints"). */
export const ENDPOINT_PATHS = {
  sync: '/api/json.php',
  async: '/v1/json',
  connector: '/mcp',
  health: '/health',
} as const;

// Some tables of the contract call `success` an integer, so 1 and 0 are understood as well.
const success = z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean);

/** Some gateways write null where the contract leaves a field out. */
const absent = z.null().transform(() => undefined);
const error = z.union([z.string(), absent]).optional();

/** One result of the synchronous endpoint. `data` depends on the operation type. */
export const resultItemSchema = z
  .object({ success, error, data: z.unknown() })
  .passthrough();
export type ResultItem = z.infer<typeof resultItemSchema>;

/** The response of the synchronous endpoint: a refusal of the whole request, or a result for each operation. */
export const syncResponseSchema = z
  .object({ success, error, data: z.union([z.array(resultItemSchema), absent]).optional() })
  .passthrough();
export type SyncResponse = z.infer<typeof syncResponseSchema>;

/** The response of the asynchronous endpoint. */
export const asyncResponseSchema = z
  .object({
    success,
    error,
    request_id: z.union([z.string(), z.number().transform(String), absent]).optional(),
  })
  .passthrough();

const wholeNumber = /^(0|[1-9]\d*)$/;

/**
 * Returns an identifier as a number where it is a whole number below 2^53, otherwise as it is, so that `id` and
 * `msg_id` of a send and of its callback join without a conversion.
 */
export function typedIdentifier<T>(value: T): T | number {
  if (typeof value !== 'string' || !wholeNumber.test(value)) return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
