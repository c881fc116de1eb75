import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Country } from '../../gateway/numbers/countries';
import { countryOf } from '../../gateway/numbers/countries';
import { parsePhone } from '../../gateway/numbers/phone';
import { readCountry, requiredPhone } from '../fields/target';
import { optionsOf } from '../fields/property';
import type { OperationDefinition } from '../run/run';
import { Item } from '../run/item';
import { invalidItem } from '../run/item-errors';
import type { ItemResult } from '../run/item-result';
import type { WindowOf } from '../sending/send-window';
import { SEND_WINDOW, windowsAt } from '../sending/send-window';

/** Checks numbers without the gateway, so that it takes no credential. A wrong number is an answer and not an error. */
export const checkNumber: OperationDefinition = {
  resource: 'number',
  operation: 'check',
  name: 'Check',
  action: 'Check number',
  description:
    'Check without the gateway and free of charge whether a phone number is possible, and normalize it',
  effect: 'reads',
  properties: [...requiredPhone, optionsOf([SEND_WINDOW])],
  outputSchema: z.object({
    input: z.union([z.string(), z.number(), z.null()]),
    valid: z.boolean(),
    phone: z.number().nullable(),
    reason: z.string().nullable(),
    country: z.string().nullable(),
    calling_code: z.number().nullable(),
    open: z.boolean().nullable().optional(),
    opens_at: z.string().nullable().optional(),
  }),
  async run(run) {
    const windowOf = windowsAt(run.now());
    return await Promise.resolve(run.items.map((_, index) => checkItem(new Item(run, index), windowOf)));
  },
};

function checkItem(item: Item, windowOf: WindowOf): ItemResult {
  try {
    const { options, read } = item;
    const input = read('phone') ?? null;
    const answer = answerOn(input, readCountry(options));
    const window = windowAnswer(options, answer.phone, windowOf);
    return { jsons: [{ input: input as IDataObject, ...answer, ...window }] };
  } catch (thrown) {
    return invalidItem(item.run, item.index, thrown);
  }
}

/** Returns whether the window of the row is open, where it has one: null where the number's zone isn't known, false for a wrong number. */
function windowAnswer(options: Record<string, unknown>, phone: unknown, windowOf: WindowOf): IDataObject {
  if (options[SEND_WINDOW.name] === undefined) return {};
  if (typeof phone !== 'number') return { open: false, opens_at: null };
  const { open, opensAt } = windowOf(options, phone) ?? { open: false, opensAt: null };
  return { open, opens_at: opensAt };
}

function answerOn(input: unknown, home: Country | undefined): IDataObject {
  const result = parsePhone(input, home);
  if (!result.ok) {
    return { valid: false, phone: null, reason: `It ${result.reason}`, country: null, calling_code: null };
  }
  const { iso, callingCode } = countryOf(result.phone);
  return { valid: true, phone: result.phone, reason: null, country: iso, calling_code: callingCode };
}
