/** What a callback address carries for the trigger: only for its own message, and only with the key. */
import fc from '../../support/generated.mts';

import type { MessageFacts } from '../../../nodes/gateway/callback/message-facts.ts';
import {
  deriveCallbackKey,
  openFacts as openFactsFor,
  sealFacts as sealFactsFor,
  withFacts,
} from '../../../nodes/gateway/callback/message-facts.ts';
import { secretMasker } from '../../../nodes/gateway/text/secrets.ts';
import { shortOrLong } from '../../support/long-form.mts';

const KEY = deriveCallbackKey('a-key-for-tests');
const TRIGGER = '07000045-0000-4000-8000-0000000000f0';
const openFacts = (key: Buffer, id: number | string, seal: unknown, trigger = TRIGGER) =>
  openFactsFor(key, { id, trigger }, seal);
const sealFacts = (key: Buffer, id: number | string, facts: MessageFacts) =>
  sealFactsFor(key, { id, trigger: TRIGGER }, facts);
const RUNS = { numRuns: shortOrLong(300, 3000) };

const ids = fc.oneof(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), fc.stringMatching(/^\d{17,20}$/));
const contents: fc.Arbitrary<MessageFacts> = fc.record({
  phone: fc.integer({ min: 1_000_000, max: 999_999_999_999_999 }),
  sentAs: fc.constantFrom('sms', 'viber', 'viber+sms', 'rcs+viber+sms'),
  fields: fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
    fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.integer(), fc.double({ noNaN: true })).map(
      // JSON has no negative zero and no infinity.
      (value) => (typeof value === 'number' && (!Number.isFinite(value) || value === 0) ? 0 : value),
    ),
    { maxKeys: 5, noNullPrototype: true },
  ),
});

it('comes back as it was, in characters that an address may hold', () => {
  fc.assert(
    fc.property(ids, contents, (id, content) => {
      const seal = sealFacts(KEY, id, content);
      expect(encodeURIComponent(seal)).toBe(seal);
      expect(openFacts(KEY, id, seal)).toEqual(content);
      expect(openFacts(KEY, String(id), seal)).toEqual(content);
    }),
    RUNS,
  );
});

it.each([
  ['https://a.example/h?q=b%20c&sign=x*y~z&flag', ''],
  ['https://a.example/h', ''],
  [`https://a.example/webhook/${TRIGGER.toUpperCase()}/callback`, TRIGGER],
])('are added to an address behind all that it has, for its trigger: %s', (url, trigger) => {
  const facts: MessageFacts = { phone: 380501234567, sentAs: 'viber+sms', fields: {} };
  const [address, fragment] = withFacts(`${url}#part`, KEY, 7, facts).split('#');
  expect([address.startsWith(url), fragment]).toEqual([true, 'part']);
  const { searchParams } = new URL(address);
  expect(searchParams.get('sent_as')).toBe('viber+sms');
  expect(openFacts(KEY, 7, searchParams.get('seal'), trigger)).toEqual(facts);
  expect(openFacts(KEY, 7, searchParams.get('seal'), 'another')).toBeUndefined();
});

it('is another each time: with one nonce for two texts, AES-GCM would tell how they differ', () => {
  fc.assert(
    fc.property(ids, contents, (id, content) => {
      const [first, second] = [sealFacts(KEY, id, content), sealFacts(KEY, id, content)];
      expect(second.slice(0, 24)).not.toBe(first.slice(0, 24));
    }),
    RUNS,
  );
});

it('fields of a callback open for no other message, with no other key, and not once it was changed, cut or put together', () => {
  fc.assert(
    fc.property(
      ids,
      contents,
      ids,
      contents,
      fc.nat(),
      fc.nat(255),
      (id, content, otherId, other, at, bits) => {
        fc.pre(String(id) !== String(otherId));
        const seal = sealFacts(KEY, id, content);
        const foreign = sealFacts(KEY, otherId, other);
        const mark = seal.indexOf('_') + 1;
        const bytes = Buffer.from(seal.slice(mark), 'base64url');
        bytes[at % bytes.length] ^= bits || 1;
        const changed = seal.slice(0, mark) + bytes.toString('base64url');
        const cutting = at % seal.length;
        expect(openFacts(KEY, otherId, seal)).toBeUndefined();
        expect(openFacts(deriveCallbackKey('another-key'), id, seal)).toBeUndefined();
        for (const forged of [
          changed,
          seal.slice(0, cutting),
          seal.slice(cutting + 1),
          `${seal}A`,
          `${seal}=`,
          seal.slice(0, 40) + foreign.slice(40),
          seal.slice(0, -22) + foreign.slice(-22),
          foreign,
        ])
          expect(openFacts(KEY, id, forged)).toBeUndefined();
      },
    ),
    RUNS,
  );
});

it('takes anything in its place', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string(), fc.base64String()), (given) => {
      expect(openFacts(KEY, 1, given)).toBeUndefined();
      expect(openFacts(KEY, 1, `mgseal1_${String(JSON.stringify(given))}`)).toBeUndefined();
    }),
    RUNS,
  );
  expect(openFacts(KEY, 1, `mgseal1_${'A'.repeat(5000)}`)).toBeUndefined();
});

it('is masked in whatever is shown, whole or cut, beside other secrets', () => {
  fc.assert(
    fc.property(ids, contents, fc.nat(), (id, content, at) => {
      const seal = sealFacts(KEY, id, content);
      const other = sealFacts(KEY, `${id}1`, content);
      const mask = secretMasker([seal, 'S3cret']);
      const text = `no https://n8n.example.com/x?secret=S3cret&seal=${seal} ${other.slice(0, 12 + (at % 40))}`;
      const shown = JSON.stringify(mask({ error: [text] }));
      expect(shown).toMatch(/^\{"error":\["no https:\/\/n8n.example.com\/x\?secret=\*{6}&seal=\*+ \*+"\]\}$/);
    }),
    RUNS,
  );
});
