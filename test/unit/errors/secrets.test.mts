import fc from 'fast-check';

import { secretMasker } from '../../../nodes/gateway/errors/secrets.ts';

it('masks each secret with as many asterisks, everywhere in plain data', () => {
  const { value } = secretMasker(['123456', '1, 2, 3', '']);
  expect(
    value({ text: 'Code 123456 or 1, 2, 3.', list: ['0123456', { deep: '123456123456' }], id: 123456 }),
  ).toEqual({
    text: 'Code ****** or *******.',
    list: ['0******', { deep: '************' }],
    id: 123456,
  });
});

it('returns the value itself where there are no secrets', () => {
  const data = { text: '1' };
  expect(secretMasker([]).value(data)).toBe(data);
});

it('leaves no secret in any text', () => {
  const code = fc.stringMatching(/^\d{4,8}$/);
  fc.assert(
    fc.property(fc.array(code, { minLength: 1 }), fc.array(fc.oneof(code, fc.string())), (secrets, parts) => {
      const masked = secretMasker(secrets).text(parts.join(''));
      expect(secrets.filter((secret) => masked.includes(secret))).toEqual([]);
      expect(masked).toHaveLength(parts.join('').length);
    }),
  );
});
