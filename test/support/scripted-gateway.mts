import type { Endpoint, NoAnswer, Transport } from '../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../nodes/gateway/contract/operations.ts';
import { json } from './send-client.mts';

/** How one request goes wrong; `before` and `after` say whether the gateway took the batch. */
export const FAULTS = [
  ...([
    'lostBefore',
    'lostAfter',
    'refusedConnection',
    '502before',
    '502after',
    'truncated',
    'short',
  ] as const),
  ...(['reordered', 'html', '429', '413', 'timeoutBefore', 'timeoutAfter'] as const),
];
export type Fault = 'none' | (typeof FAULTS)[number];

export interface ScriptedGateway {
  transport: Transport;
  /** How often each id was accepted. */
  accepted: Map<unknown, number>;
  /** Operations of each request that reached the gateway, `status` questions left out. */
  requests: WireOperation[][];
}

const failure = (problem: NoAnswer['problem'], mayHaveArrived = true): NoAnswer => ({
  kind: 'failure',
  problem,
  mayHaveArrived,
});

/** A gateway in memory that counts what it accepts and fails as it is told, one fault for each request. */
export function scriptedGateway(
  nextFault: (endpoint: Endpoint, data: WireOperation[]) => Fault,
): ScriptedGateway {
  const accepted = new Map<unknown, number>();
  const requests: WireOperation[][] = [];

  const take = (operation: WireOperation) => {
    if (operation.type === 'status') {
      return accepted.has(operation.id)
        ? { success: true, data: { id: operation.id, type: 'sms', status: 'ACCEPTED' } }
        : { success: false, error: 'Message not found', data: { id: operation.id } };
    }
    accepted.set(operation.id, (accepted.get(operation.id) ?? 0) + 1);
    return { success: true, data: { id: operation.id, msg_id: `9${String(operation.id)}`, parts: 1 } };
  };

  const transport: Transport = async (endpoint, data) => {
    await Promise.resolve();
    const fault = nextFault(endpoint, data);
    if (fault === 'refusedConnection') return failure({ kind: 'unreachable', code: 'ECONNREFUSED' }, false);
    if (data[0].type !== 'status') requests.push(data);
    if (fault === 'lostBefore') return failure({ kind: 'connectionLost', code: 'ECONNRESET' });
    if (fault === 'timeoutBefore') return failure({ kind: 'timeout' });
    if (fault === '502before') return json('<html>Bad Gateway</html>', 502);
    if (fault === '413') return json('too large', 413);
    if (fault === '429') return { ...json('slow down', 429), retryAfter: 1 };
    const results = data.map(take);
    if (fault === 'lostAfter') return failure({ kind: 'connectionLost', code: 'ECONNRESET' });
    if (fault === 'timeoutAfter') return failure({ kind: 'timeout' });
    if (fault === '502after') return json('<html>Bad Gateway</html>', 502);
    if (fault === 'html') return json('<html>Welcome</html>');
    const body = endpoint === 'sync' ? { success: true, data: results } : { success: true, request_id: 'r1' };
    if (fault === 'truncated') return json(JSON.stringify(body).slice(0, -5));
    if (fault === 'short') return json({ success: true, data: results.slice(1) });
    if (fault === 'reordered') return json({ success: true, data: [...results].reverse() });
    return json(body);
  };
  return { transport, accepted, requests };
}
