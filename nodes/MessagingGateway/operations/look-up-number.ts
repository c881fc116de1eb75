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
 * Returns the output of a lookup: the gateway's own fields, and what they mean as far as that is known, since the contract doesn't show
 * them. A field of the gateway replaces one of the same name.
 */
export function lookUpOutput({ sent, payload }: Accepted): IDataObject[] {
  const fields = payloadFields(payload) as IDataObject;
  const known = {
    reachable: isReachable(canonicalStatus(fields.status)),
    operator: operatorIn(fields),
    country: sent.phone === undefined ? null : countryOf(sent.phone).iso,
  };
  return [{ ...sent, ...known, ...fields, id: sent.id }];
}

/** Statuses of phones to which nothing can be delivered; all others may be statuses of the lookup itself. */
const UNREACHABLE = ['EXPIRED', 'INVALID DESTINATION ADDRESS', 'UNDELIVERABLE', 'UNDELIVERED'];

function isReachable(status: string): boolean | null {
  if (outcomeOfStatus(status) === 'delivered') return true;
  return UNREACHABLE.includes(status) ? false : null;
}

/** Returns the name of the operator; null where the gateway names none, or only the one that a ported number has left. */
function operatorIn({ network: given, ported: isPorted }: IDataObject): string | null {
  const { origin, ported } = (given ?? {}) as { origin?: unknown; ported?: unknown };
  switch (readFlag(isPorted)) {
    case true:
      return nameOf(ported);
    case false:
      return nameOf(origin);
    default:
      return nameOf(ported) ?? nameOf(origin);
  }
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
