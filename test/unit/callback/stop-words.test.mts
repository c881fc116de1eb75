/** What counts as a STOP: a reply that is one of the words as a whole, however people write it. */
import fc from '../../support/generated.mts';

import { isStop, readStopWords, USUAL_STOP_WORDS } from '../../../nodes/gateway/callback/replies.ts';

const USUAL = readStopWords(USUAL_STOP_WORDS);
const stops = (text: string) => isStop(USUAL, { replies: [{ message: text }] });

const around = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\t',
  '.',
  '!',
  '!!!',
  '"',
  '«',
  '»',
  '\u200b',
  '\ufeff',
  '🙏',
  '…',
  ' - ',
);
const cased = (word: string, bits: number) =>
  Array.from(word, (letter, i) => ((bits >> i % 8) & 1 ? letter.toLowerCase() : letter)).join('');

it('knows each usual word in any case, with any marks and blanks around it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...USUAL_STOP_WORDS),
      fc.nat(255),
      around,
      around,
      (word, bits, before, after) => {
        expect(stops(`${before}${cased(word, bits)}${after}`)).toBe(true);
        expect(stops(cased(word, bits).replace(' ', ' \n '))).toBe(true);
        expect(isStop(USUAL, { reply: word })).toBe(true);
      },
    ),
  );
});

it.each(['Stop', 'СТОП', 'відписатися', 'wypisz mnie', 'Abmelden', 'cancelar suscripción'])(
  'knows %s, of each of five languages',
  (text) => expect(stops(text)).toBe(true),
);

it.each([
  ...['STOP', 'QUIT', 'END', 'REVOKE', 'OPT OUT', 'OPTOUT', 'OPT-OUT', 'CANCEL', 'UNSUBSCRIBE', 'STOPALL'],
  ...['STOP please', 'Please stop.', 'Stop, please!', 'СТОП, будь ласка', 'Bitte abmelden'],
  ...['Stop, thanks', 'STOP. Thank you!', 'стоп, дякую', 'Danke, stopp', 'BAJA gracias'],
  ...['Please stop, thank you!', 'STOP\n--\nAnna', '\n STOP \n\nAnna', 'Stop\u2028Anna'],
  ...[
    'STOP\nAnna',
    'Stop.\r\n\r\nSent from my phone',
    `stop\n${'a'.repeat(200)}`,
    'STOP 🙏',
    'Stop 👍🏽',
    'stop ❤️',
  ],
])('knows %j, as carriers and people write it', (text) => expect(stops(text)).toBe(true));

it('reads a reply of 100 characters and no longer one, and leaves the marks within it', () => {
  expect(stops(`${'.'.repeat(96)}stop`)).toBe(true);
  expect(stops(`${'.'.repeat(97)}stop`)).toBe(false);
  // NFKC makes 18 characters of one.
  expect(stops(`${'\ufdfa'.repeat(6)}`)).toBe(false);
  expect(stops('st.op')).toBe(false);
});

it('takes no sentence for one that has a word in it', () => {
  const letters = fc.stringMatching(/^[a-zа-яіїєґ0-9]{1,10}$/);
  fc.assert(
    fc.property(fc.constantFrom(...USUAL_STOP_WORDS), letters, fc.boolean(), (word, other, isFirst) => {
      const text = isFirst ? `${other} ${word}` : `${word} ${other}`;
      fc.pre(!USUAL_STOP_WORDS.includes(text.toUpperCase()));
      expect(stops(text)).toBe(false);
      expect(stops(`${word}${other}`)).toBe(USUAL_STOP_WORDS.includes(`${word}${other}`.toUpperCase()));
    }),
  );
});

it.each([
  '',
  ' ',
  '!',
  'please',
  'Thanks',
  'Thanks for the stop',
  'Please do not stop',
  'Stop by our shop',
  'Anna\nstop by',
  'The end',
  // On the line of the word, nobody tells a signature from the rest of a sentence.
  ...['STOP Anna', 'Stop - Anna', 'Cancel - my order 17'],
  '1',
  'stop'.repeat(1000),
])('does not take %j for one', (text) => expect(stops(text)).toBe(false));

it('looks at all replies of a row, and never fails on what is none', () => {
  expect(isStop(USUAL, { replies: [{ message: 'Hi' }, { message: 'stop' }] })).toBe(true);
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (reply, replies) => {
      expect(typeof isStop(USUAL, { reply, replies })).toBe('boolean');
      expect(typeof isStop(USUAL, { replies: [replies] })).toBe('boolean');
    }),
  );
});

it('has words of its own where they are given, a digit of a keypad among them', () => {
  const own = readStopWords(['9', ' Ende! ', '', ' ', '🛑', 'x'.repeat(101)]);
  expect([...own]).toEqual(['9', 'ende', '🛑']);
  expect(isStop(own, { reply: '9' })).toBe(true);
  expect(isStop(own, { reply: 'STOP' })).toBe(false);
});
