import { typedIdentifier } from '../contract/envelope';

const IDENTIFIERS = ['id', 'msg_id'];

/**
 * The fields of a payload that is an object, with typed identifiers; any other payload is kept under `data`
 * (gateway-api.md, "Synchronous answers": extra properties are allowed). Returns the payload itself where it has them
 * already: a run has one for each message.
 */
export function payloadFields(payload: unknown): Record<string, unknown> {
  if (payload === undefined || payload === null) return {};
  if (typeof payload !== 'object' || Array.isArray(payload)) return { data: payload };
  const fields = payload as Record<string, unknown>;
  const untyped = IDENTIFIERS.filter((name) => typedIdentifier(fields[name]) !== fields[name]);
  if (untyped.length === 0) return fields;
  return Object.assign({ ...fields }, ...untyped.map((name) => ({ [name]: typedIdentifier(fields[name]) })));
}
