import { z } from 'zod/v3';

import { fromJson } from '../contract/json';
import { bodyFinder } from './answer';
import { callFailure } from './client';
import type { ConnectorTransport, Result } from './transport';

/** Answer of `/health` (gateway-api.md, "Addresses"). Fields beyond the contract are kept. */
const healthSchema = z
  .object({ ok: z.boolean(), domain: z.string(), send_enabled: z.boolean() })
  .passthrough();

export type Health = z.infer<typeof healthSchema>;

/** Characters of an answer that are read. */
const LIMIT = 64 * 1024;

/** Asks the connector for its health and whether it may send for its domain. Needs no key. Never throws. */
export async function askHealth(transport: ConnectorTransport): Promise<Result<Health>> {
  const headers = { Accept: 'application/json' };
  const finderFor = () => bodyFinder(LIMIT);
  const reply = await transport.send({ endpoint: 'health', method: 'GET', headers, finderFor });
  if (reply.kind === 'failure') return callFailure({ kind: 'transport', problem: reply.problem }, false);
  const { status, contentType, found = '', problem } = reply;
  if (problem) return callFailure(problem, false);
  const health = healthSchema.safeParse(fromJson(transport.redact(found)));
  if (health.success) return { ok: true, value: health.data };
  return callFailure(
    status >= 300
      ? { kind: 'transport', problem: { kind: 'http', status } }
      : { kind: 'notHealth', contentType, status },
    false,
  );
}
