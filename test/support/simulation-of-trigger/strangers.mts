/** Who else calls a trigger whose address isn't secret: what strangers send, and what must not come of it. */
import type { IDataObject } from 'n8n-workflow';

import type { Random } from '../simulation/random.mts';
import type { EventPlan, StrangerPlan } from './plans.mts';

/** Ids that no message of the simulation has. */
const UNKNOWN_ID = 1_000_000;
/** What only strangers write. */
export const FORGED = { request_id: 'forged', amount: 5, phone: 'forged', error: 'forged', duration: 77 };

export function strangersOf(random: Random, events: EventPlan[]): StrangerPlan[] {
  if (events.length === 0 || random.chance(0.3)) return [];
  return Array.from({ length: random.between(1, 5) }, (): StrangerPlan => {
    const event = random.pick(events);
    const kind = random.pick(['list', 'hundred', 'singles', 'status', 'fields', 'fields'] as const);
    const most = { list: 40, hundred: 20, singles: 130, status: 3, fields: 3 }[kind];
    return {
      at: event.at + random.pick([-50, -1, 0, 1, 100, 5000]),
      calls: random.between(1, most),
      type: random.pick(['viber', 'sms', 'rcs', 'transactional', undefined]),
      ...{ kind, event },
    };
  });
}

const unknown = (count: number, first: number): IDataObject[] =>
  Array.from({ length: count }, (_, i) => ({
    success: i % 2 === 0,
    id: UNKNOWN_ID + first + i,
    status: i % 2 === 0 ? 'DELIVERED' : 'UNDELIVERABLE',
  }));

/** The body of a stranger's call; `real` is what the gateway itself says of an event. */
export function forgedBody(
  { kind, event, type }: StrangerPlan,
  call: number,
  real: (event: EventPlan) => IDataObject,
): unknown {
  const named = type === undefined ? {} : { type };
  if (kind === 'list') return unknown(101 + 7 * call, call * 1000);
  if (kind === 'hundred') return unknown(100, call * 1000);
  // What is under way may be anything later.
  if (kind === 'singles' || (kind === 'status' && event.outcome === 'pending'))
    return { ...unknown(1, call)[0], ...named };
  if (kind === 'fields') return { ...real(event), ...named, ...FORGED, msg_id: undefined };
  const isFailed = event.outcome === 'failed';
  return { ...real(event), ...named, success: isFailed, status: isFailed ? 'READ' : 'UNDELIVERABLE' };
}
