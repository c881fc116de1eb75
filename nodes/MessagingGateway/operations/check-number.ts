import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Country } from '../../gateway/numbers/countries';
import { countryOf } from '../../gateway/numbers/countries';
import { parsePhone } from '../../gateway/numbers/phone';
import { readCountry } from '../fields/country';
import { optionsOf } from '../fields/property';
import { requiredPhone } from '../fields/target';
import type { OperationDefinition } from '../run/definition';
import type { ItemResult } from '../run/item-result';
import type { Run } from '../run/run';

/** Checks numbers without the gateway, so that it takes no credential. A wrong number is an answer and not an error. */
export const checkNumber: OperationDefinition = {
  resource: 'number',
  operation: 'check',
  name: 'Check',
  action: 'Check number',
  description:
    'Check without the gateway and free of charge whether a phone number is possible, and normalize it',
  effect: 'reads',
  properties: [...requiredPhone, optionsOf([])],
  outputSchema: z.object({
    input: z.union([z.string(), z.number(), z.null()]),
    valid: z.boolean(),
    phone: z.number().nullable(),
    reason: z.string().nullable(),
    country: z.string().nullable(),
    calling_code: z.number().nullable(),
  }),
  run: async (run) => await Promise.resolve(run.items.map((_, index) => checkItem(run, index))),
};

function checkItem(run: Run, index: number): ItemResult {
  try {
    const home = readCountry(run.options(index));
    const input = run.read('phone', index) ?? null;
    return { jsons: [{ input: input as IDataObject, ...answerOn(input, home) }] };
  } catch (thrown) {
    return run.invalid(thrown);
  }
}

function answerOn(input: unknown, home: Country | undefined): IDataObject {
  const result = parsePhone(input, home);
  if (!result.ok) {
    return { valid: false, phone: null, reason: `It ${result.reason}`, country: null, calling_code: null };
  }
  const { iso, callingCode } = countryOf(result.phone);
  return { valid: true, phone: result.phone, reason: null, country: iso, calling_code: callingCode };
}
