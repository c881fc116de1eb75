/** Texts leave whole, and what is cut is cut between characters as a person sees them. */
import type { INodeExecutionData } from 'n8n-workflow';

import { FIELD_SCHEMAS } from '../../../nodes/gateway/contract/wire-fields.ts';
import {
  comparedWord,
  isUnseen,
  shortened,
  whyNotWhole,
  withoutUnseen,
} from '../../../nodes/gateway/text/characters.ts';
import { toShortJson } from '../../../nodes/gateway/text/json.ts';
import { quote } from '../../../nodes/gateway/text/phrases.ts';
import { answerAgent } from '../../../nodes/MessagingGateway/agent/answer.ts';
import { fittingText } from '../../../nodes/MessagingGateway/approval/message-text.ts';
import fc from '../../support/generated.mts';

/** Characters of several units, which a cut may break: pairs, marks, joined emoji, flags, line ends, jamo. */
const WIDE = ['a', '😀', 'e\u0301', '👨‍👩‍👧', '🇺🇦', '👍🏽', '❤️', '\u0e01\u0e33', '각', 'x\u0301\u0302\u0303'];
const SEGMENTS = new Intl.Segmenter();
const placesIn = (text: string) => new Set([...SEGMENTS.segment(text)].map(({ index }) => index));

/** Everything that cuts a text of somebody else, by what is left of it, with the ellipsis or the note behind it. */
const CUTTERS: Record<string, (text: string) => string | Promise<string>> = {
  shortened: (text) => shortened(text, 60).replace(/…$/, ''),
  quote: (text) => quote(text).replace(/^"|…?"$/g, ''),
  toShortJson: (text) => toShortJson([text]).replace(/^\["|"\]$/g, ''),
  fittingText: (text) => fittingText(text, undefined).replace(/\.\.\.$/, ''),
  answerAgent: async (text) => {
    const items: INodeExecutionData[] = [{ json: { text } }];
    const run = { definition: { effect: 'reads' }, form: { editedTexts: [] } };
    const [{ json }] = await answerAgent(run as never, async () => items);
    return String(json.beginning ?? json.text).replace(/^\[\{"text":"/, '');
  },
};

it.each(Object.entries(CUTTERS))('%s cuts no character in two', async (_, cut) => {
  const characters = fc.array(fc.constantFrom(...WIDE), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(characters, async (several) => {
      const unit = several.join('');
      const text = unit.repeat(Math.ceil(15_000 / unit.length));
      const left = await cut(text);
      expect(left.length).toBeGreaterThan(0);
      expect(left.length).toBeLessThan(text.length);
      expect(text.startsWith(left)).toBe(true);
      expect(placesIn(text).has(left.length)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it.each([
  ['cut \ud83c', 'half of a character, as a cut within an emoji leaves it, at position 5'],
  ['😀😀\udc4d!', 'half of a character, as a cut within an emoji leaves it, at position 3'],
  ['a\u0000', 'the control character U+0000 at position 2'],
  ['\u0007bell', 'the control character U+0007 at position 1'],
  ['x\u001b[0m', 'the control character U+001B at position 2'],
  ['\u0085', 'the control character U+0085 at position 1'],
  ['\ufffe', 'the control character U+FFFE at position 1'],
  ['😀\u{1ffff}', 'the control character U+1FFFF at position 2'],
])('%j is refused, and the reason says where', (text, where) => {
  expect(whyNotWhole(text)).toBe(`contains ${where}`);
  expect(FIELD_SCHEMAS.sms_message.accepts(`A ${text}`)).toBe(false);
});

it('what people type and paste is sent as it is', () => {
  const typed = fc.array(fc.constantFrom(...WIDE, '\n', '\r\n', '\t', '\u00a0', '\u200d', '\ue000'));
  fc.assert(
    fc.property(typed, fc.string({ unit: 'grapheme' }), (several, text) => {
      const whole = `${several.join('')}${text.replace(/\p{Cc}/gu, '')}`;
      fc.pre(!/\p{Noncharacter_Code_Point}/u.test(whole));
      expect(whyNotWhole(whole)).toBeUndefined();
      expect(FIELD_SCHEMAS.sms_message.accepts(`A${whole}`)).toBe(true);
    }),
  );
});

it.each(['\ufeff', '\u200b', '\u00ad', '\u202e', '\u2800', '\u3164', '\u034f', '\u0007', '\u{e0041}'])(
  'nobody sees %j, around a text, within a word, or alone',
  (unseen) => {
    expect(withoutUnseen(`${unseen}a\t${unseen}b\n`)).toBe('a\tb\n');
    expect([isUnseen(` ${unseen}\n`), isUnseen(`${unseen}.`)]).toEqual([true, false]);
    expect(comparedWord(`ST${unseen}OP`)).toBe('stop');
  },
);
