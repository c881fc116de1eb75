import { typedIdentifier } from '../contract/envelope';

/**
 * The fields of a payload that is an object, with typed identifiers; any other payload is kept under `data`
 * (gateway-api.md, "Synchronous answers": extra properties are allowed).
 */
export function payloadFields(payload: unknown): Record<string, unknown> {
  if (payload === undefined || payload === null) return {};
  if (typeof payload !== 'object' || Array.isArray(payload)) return { data: payload };
  const fields: Record<string, unknown> = { ...payload };
  for (const name of ['id', 'msg_id']) {
    if (name in fields) fields[name] = typedIdentifier(fields[name]);
  }
  return fields;
}
