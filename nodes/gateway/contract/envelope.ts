/** The path of each endpoint, relative to its address in the credential (gateway-api.md, "Addresses"). */
export const ENDPOINT_PATHS = {
  sync: '/api/json.php',
  async: '/v1/json',
  connector: '/mcp',
  health: '/health',
} as const;

/** One result of the synchronous endpoint. `data` depends on the operation type. */
export interface ResultItem {
  success: boolean;
  error?: string;
  data?: unknown;
}

/** The response of an endpoint; which of the optional fields are set depends on the endpoint and on `success`. */
export interface ResponseEnvelope {
  success: boolean;
  error?: string;
  data?: ResultItem[];
  requestId?: string;
}

/** The fields of a JSON value; texts, numbers and lists have none that an answer needs. */
const fieldsOf = (value: unknown) => (value ?? {}) as Record<string, unknown>;

/** Some tables of the contract call `success` an integer, so 1 and 0 are understood as well. */
function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 1 || value === 0 ? value === 1 : undefined;
}

/** Gateways written in PHP say "none" with null, false, 0, "", [] or {} where the contract leaves a field out. */
export function isNone(value: unknown): boolean {
  if (typeof value !== 'object') return !value;
  for (const _ in value) return false;
  return true;
}

const textOf = (value: unknown): { error?: string } => (typeof value === 'string' ? { error: value } : {});

/**
 * Reads a response (gateway-api.md, "Synchronous answers" and "Asynchronous answers"). Returns undefined for anything
 * that isn't one; of results, the first that isn't one decides: a senseless body costs no more time than its length.
 */
export function readEnvelope(body: unknown): ResponseEnvelope | undefined {
  const { success: said, error, request_id: requestId, data } = fieldsOf(body);
  const success = flag(said);
  if (success === undefined) return undefined;
  const envelope: ResponseEnvelope = { success, ...textOf(error) };
  if (typeof requestId === 'number' || (typeof requestId === 'string' && requestId !== '')) {
    envelope.requestId = String(requestId);
  }
  // What came with a refusal says nothing: the top-level `success` is checked first.
  if (!success) return envelope;
  if (Array.isArray(data)) {
    envelope.data = readResults(data);
    return envelope.data && envelope;
  }
  return isNone(data) ? envelope : undefined;
}

function readResults(entries: unknown[]): ResultItem[] | undefined {
  const results: ResultItem[] = [];
  for (const entry of entries) {
    const { success: said, error, data } = fieldsOf(entry);
    const success = flag(said);
    if (success === undefined) return undefined;
    results.push({ success, ...textOf(error), data });
  }
  return results;
}

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
