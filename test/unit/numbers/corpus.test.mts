/** The phone numbers of the corpus. */
import { findCountry } from '../../../nodes/gateway/numbers/countries.ts';
import { parsePhone } from '../../../nodes/gateway/numbers/phone.ts';
import { titled } from '../../corpus/case.mts';
import { NUMBERS } from '../../corpus/numbers.mts';

it.each(titled(NUMBERS))(
  'a number of the corpus is read, or refused with the reason: %s',
  (_, { input: { value, country }, right }) => {
    const home = country === undefined ? undefined : findCountry(country);
    if (country !== undefined) expect(home).toBeDefined();
    const result = parsePhone(value, home);
    if (typeof right === 'number') expect(result).toEqual({ ok: true, phone: right });
    else expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(right) as string });
  },
);
