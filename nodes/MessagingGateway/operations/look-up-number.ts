import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import { readFlag } from '../../gateway/contract/envelope';
import { canonicalStatus, outcomeOfStatus } from '../../gateway/delivery/outcomes';
import { countryOf } from '../../gateway/numbers/countries';
import { payloadFields } from '../../gateway/contract/payloads';
import { phone } from '../fields/target';
import type { Accepted } from '../run/row';
import { wireOperation } from '../sending/wire-operation';

const network = z.object({
  name: z.string(),
  prefix: z.string(),
  country: z.object({ name: z.string(), prefix: z.string() }),
});

/**
 * Returns the output of a lookup: the gateway's own fields go first, since they say of the number what was asked for. The
 * contract doesn't show them, so what they mean is added as far as it is known.
 */
export function lookUpOutput({ sent, payload }: Accepted): IDataObject[] {
  const fields = payloadFields(payload) as IDataObject;
  const isPorted = readFlag(fields.ported);
  const { origin, ported } = (fields.network ?? {}) as { origin?: unknown; ported?: unknown };
  const known = {
    reachable: isReachable(canonicalStatus(fields.status)),
    operator: (isPorted === false ? null : nameOf(ported)) ?? (isPorted ? null : nameOf(origin)),
    country: sent.phone === undefined ? null : countryOf(sent.phone).iso,
  };
  return [{ ...sent, ...known, ...fields, id: sent.id }];
}

/** Statuses that say of the phone that nothing can be delivered to it; others may be those of the lookup. */
const UNREACHABLE = ['EXPIRED', 'INVALID DESTINATION ADDRESS', 'UNDELIVERABLE', 'UNDELIVERED'];

function isReachable(status: string): boolean | null {
  if (outcomeOfStatus(status) === 'delivered') return true;
  return UNREACHABLE.includes(status) ? false : null;
}

function nameOf(operator: unknown): string | null {
  const { name } = (operator ?? {}) as { name?: unknown };
  return typeof name === 'string' && name !== '' ? name : null;
}

export const lookUpNumber = wireOperation({
  resource: 'number',
  operation: 'lookup',
  name: 'Look Up',
  action: 'Look up number',
  description: 'Look up the operator of a phone number and whether it is in service (HLR)',
  wireType: 'hlr',
  fields: [phone],
  effect: 'reads',
  result: lookUpOutput,
  outputSchema: z.object({
    id: z.number(),
    type: z.string(),
    phone: z.number(),
    reachable: z.boolean().nullable(),
    operator: z.string().nullable(),
    country: z.string().nullable(),
    status: z.string().optional(),
    imsi: z.string().optional(),
    mccmnc: z.string().optional(),
    ported: z.boolean().optional(),
    network: z.object({ origin: network, ported: network.optional() }).optional(),
  }),
});
