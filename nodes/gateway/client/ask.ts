import type { WireOperation } from '../contract/operations';
import type { Problem } from '../errors/problem';
import { judge } from './response';
import type { Transport } from './transport';

export type Asked = { ok: true; payload: unknown } | { ok: false; problem: Problem };

/**
 * Sends one operation that only reads, in one request to the synchronous endpoint. Returns the payload of its result
 * (gateway-api.md, "Synchronous answers"), or why there is none. Never throws, and never asks twice.
 */
export async function askOne(transport: Transport, operation: WireOperation): Promise<Asked> {
  const verdict = judge('sync', await transport('sync', [operation]), [operation]);
  if (verdict.kind !== 'results') return { ok: false, problem: verdict.problem };
  const [item] = verdict.items;
  return item.is === 'accepted' ? { ok: true, payload: item.payload } : { ok: false, problem: item.problem };
}
