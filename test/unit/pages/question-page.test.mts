import fc from '../../support/generated.mts';

import { readAnswers } from '../../../nodes/gateway/pages/answer-fields.ts';
import type { AnswerField, AnswerFieldType } from '../../../nodes/gateway/pages/answer-fields.ts';
import { markup, readable } from '../../../nodes/gateway/pages/markup.ts';
import type { Question } from '../../../nodes/gateway/pages/question-page.ts';
import {
  expiredPage,
  headersOf,
  PAGE_TEXTS,
  questionPage,
  readableQuestion,
  recordedPage,
  refusedPage,
  closedPage,
} from '../../../nodes/gateway/pages/question-page.ts';

/** Half past five in the evening in Kyiv. */
const LIMIT = { at: Date.UTC(2026, 10, 21, 15, 30), zone: 'Europe/Kyiv' };

const question = (word: string, fields: AnswerField[] = []): Question => ({
  title: word,
  text: word,
  from: word,
  fields,
  choices: [{ value: word, label: word, style: 'primary' }],
  language: 'en',
  texts: Object.fromEntries(Object.keys(PAGE_TEXTS).map((name) => [name, word])) as typeof PAGE_TEXTS,
});

const TYPES: AnswerFieldType[] = [
  ...(['text', 'textarea', 'dropdown', 'radio', 'checkbox', 'number', 'hiddenField'] as const),
];
const everyField = (word: string) =>
  TYPES.map(
    (type): AnswerField => ({
      type,
      name: word,
      label: word,
      placeholder: word,
      value: word,
      options: [word],
      required: true,
    }),
  );

/** The tags of a page in order, with the names of their attributes and without what the attributes hold. */
const skeleton = (page: string): string[] =>
  [...page.matchAll(/<(\/?[a-z!][a-z0-9]*)((?:[^<>"]|"[^"]*")*)>/gi)].map(
    ([, tag, attributes]) => tag + attributes.replace(/"[^"]*"/g, '""'),
  );

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...['"><script>', "' onload=x ", '</textarea><b>', '</style>', '<!--', '&lt;', '\u202e<i>', '\0<\b>'],
  ),
);

describe('a page', () => {
  it('has the same tags and attributes whatever its texts hold', () => {
    const pages = (word: string) => [
      // Two values are wrong for every type, a choice that isn't offered among them.
      questionPage(question(word, everyField(word)), word, {
        limit: LIMIT,
        submitted: Object.fromEntries(TYPES.map((_, i) => [`f${i}`, [word, `${word}x`]])),
      }),
      recordedPage(question(word), word, {}),
      recordedPage(question(word, everyField(word)), word, { [word]: word }),
      expiredPage(question(word), LIMIT),
      refusedPage(question(word)),
      closedPage(question(word)),
    ];
    const usual = pages('word').map(skeleton);
    expect(pages('word')[0].match(/class="bad"/g)).toHaveLength(6);
    fc.assert(
      fc.property(hostile, (start) => {
        // An empty title leaves out a line.
        const word = `w${start}`;
        expect(pages(word).map(skeleton)).toEqual(usual);
      }),
    );
  });

  it('has no script, no picture and no address', () => {
    for (const page of [questionPage(question('a', everyField('a')), 'a'), closedPage()]) {
      expect(page).not.toMatch(/<script|<img|<link|https?:|url\(|javascript:/i);
    }
  });
});

describe('what a page shows', () => {
  const call = { tool: 'Send', args: '{"to":"Bob"}', people: '', others: '' };
  const asked = (fields: AnswerField[] = []) => ({
    ...question('Pay invoice 17?', fields),
    call,
    texts: PAGE_TEXTS,
  });
  const words = (page: string) =>
    page
      .replace(/<style>[^]*?<\/style>|<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();

  it('says what was chosen, below what was asked', () => {
    expect(words(recordedPage(asked(), 'Decline', {}))).toMatch(
      /Pay invoice 17\? May an AI agent run this tool\? Send \S+ Thank you\. Your answer has been recorded\. You chose: Decline$/,
    );
    const own = { ...asked(), texts: { ...PAGE_TEXTS, chosenText: '{choice} wurde gewählt' } };
    expect(words(recordedPage(own, 'Ja', {}))).toMatch(/Ja wurde gewählt$/);
  });

  it('says what was filled in, but no password and nothing that the person did not see', () => {
    const fields: AnswerField[] = [
      { type: 'number', name: 'amount', label: 'Amount', required: true },
      { type: 'checkbox', name: 'copies', label: 'Copies', options: ['Law', 'CFO'] },
      { type: 'password', name: 'pin', label: 'PIN' },
      { type: 'hiddenField', name: 'case', label: '' },
      { type: 'text', name: 'why', label: 'Why' },
    ];
    const answers = { amount: 12.5, copies: ['Law', 'CFO'], pin: '1234', case: 'C-1', why: null };
    expect(words(recordedPage(asked(fields), 'Submit', answers))).toMatch(
      /has been recorded\. Amount 12\.5 Copies Law, CFO$/,
    );
  });

  it('marks what must be filled in, and says what the mark means', () => {
    const field = (label: string, required: boolean): AnswerField => ({
      type: 'text',
      name: label,
      label,
      required,
    });
    expect(words(questionPage(asked([field('Amount', true), field('Why', false)]), 't'))).toContain(
      '* Required Amount * Why Pay invoice',
    );
    expect(words(questionPage(asked([field('Why', false)]), 't'))).not.toContain('*');
  });

  it('says until when it can be answered, in the language of the page, without the date on that day', () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(LIMIT.at - 3_600_000);
    expect(words(questionPage(asked(), 't', { limit: LIMIT }))).toContain('Answer until 17:30 GMT+2.');
    expect(words(questionPage(asked(), 't'))).not.toContain('until');
    expect(words(expiredPage(asked(), LIMIT))).toMatch(/The time to answer ended: 17:30 GMT\+2\.$/);
    clock.mockReturnValue(LIMIT.at - 86_400_000);
    const ukrainian = {
      ...asked(),
      language: 'uk',
      texts: { ...PAGE_TEXTS, limitText: 'Відповідь до {time}' },
    };
    expect(words(questionPage(ukrainian, 't', { limit: LIMIT }))).toMatch(
      /Відповідь до субота, 21 листопада 2026 р\. о 17:30 \S+ Pay/,
    );
    clock.mockRestore();
  });

  it('may have the logo of the author, from its own host alone', () => {
    const logo = 'https://cdn.example.com/a/logo.png?v="2"';
    const page = questionPage({ ...asked(), logo }, 't');
    expect(page).toContain(
      '<img class="logo" src="https://cdn.example.com/a/logo.png?v=&quot;2&quot;" alt="">',
    );
    expect(headersOf(logo)['Content-Security-Policy']).toContain('; img-src https://cdn.example.com; ');
    expect(headersOf()['Content-Security-Policy']).not.toContain('img-src');
  });

  it('has no line of who asks where nobody is named', () => {
    expect(questionPage({ ...asked(), from: '' }, 't').split('class="from"')).toHaveLength(2);
  });
});

describe('a text that looks like another', () => {
  it.each([
    ['turned around', 'Bob Ltd\u202e 91', 'Bob Ltd[U+202E] 91'],
    ['embedded and isolated', '\u202aa\u2066b\u2069\u202c', '[U+202A]a[U+2066]b[U+2069][U+202C]'],
    ['with controls', 'a\u0007\u0000b\u2028', 'a[U+0007][U+0000]b[U+2028]'],
  ])('%s is written out', (_, text, expected) => expect(readable(text)).toBe(expected));

  it.each([
    ['Hebrew with marks', 'חשבונית \u200e17\u200f (1,234.50)'],
    ['Arabic', 'هل توافق؟ \u061c17'],
    ['Persian', 'می\u200cخواهم'],
    ['Malayalam and Sinhala', 'അവന്\u200d അവന്\u200dറെ ක්\u200dර'],
    [
      'emoji',
      '👩\u200d👩\u200d👧 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 ❤\ufe0f ☎\ufe0e \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
    ['Japanese names', '葛\u{e0100}城 辻\ufe00'],
    ['German that may be divided', 'Rechnungs\u00adnummer'],
    ['lines', 'a\n\tb'],
  ])('honest %s stays', (_, text) => expect(readable(text)).toBe(text));

  it('is written out wherever a person reads it, and in nothing else', () => {
    const bad = 'a\u202eb';
    const { fields, choices, texts, ...rest } = readableQuestion({
      ...question(bad, everyField(bad)),
      language: 'en',
      choices: [{ value: 'approve', label: bad, style: 'primary' }],
    });
    const page = questionPage({ fields, choices, texts, ...rest }, 'token');
    expect(page).not.toContain('\u202e');
    expect(page.split('a[U+202E]b').length).toBeGreaterThan(20);
    expect(fields.map(({ name }) => name)).toEqual(fields.map(() => bad));
    expect(fields.filter(({ value }) => value === bad).map(({ type }) => type)).toEqual(['hiddenField']);
    expect(choices[0].value).toBe('approve');
  });
});

it('keeps markup that is markup, and escapes the rest', () => {
  expect(markup`<p>${'<b>'}${markup`<i>${'&'}</i>`}${['"', markup`<br>`]}${undefined}</p>`.text).toBe(
    '<p>&lt;b&gt;<i>&amp;</i>&quot;<br></p>',
  );
});

describe('what a form sends', () => {
  const field = (type: AnswerFieldType, more: Partial<AnswerField> = {}): AnswerField => ({
    type,
    name: 'n',
    label: 'n',
    options: ['A', 'B', 'two\nlines'],
    ...more,
  });
  const read = (one: AnswerField, value: unknown) => {
    const answers = readAnswers([one], value === undefined ? {} : { f0: value });
    return answers === undefined ? 'wrong' : answers.n;
  };

  it.each([
    ['text', 'a\r\nb', 'a\nb'],
    ['text', undefined, null],
    ['text', 'x'.repeat(10_001), 'wrong'],
    ['number', '-1.5', -1.5],
    ['number', '1,5', 'wrong'],
    ['number', 'Infinity', 'wrong'],
    ['number', '0x10', 'wrong'],
    ['number', '9007199254740993', 'wrong'],
    ['number', '.5e3', 500],
    ['email', ' a@example.com ', 'a@example.com'],
    ['email', 'a@b', 'wrong'],
    ['date', '2026-11-21', '2026-11-21'],
    ['date', 'tomorrow', 'wrong'],
    ['date', '2026-02-30', 'wrong'],
    ['dropdown', 'B', 'B'],
    ['dropdown', 'C', 'wrong'],
    ['radio', ['A', 'B'], 'wrong'],
    ['checkbox', 'A', ['A']],
    ['checkbox', ['A', 'B'], ['A', 'B']],
    ['checkbox', ['A', 'C'], 'wrong'],
    ['checkbox', ['A', 'two\r\nlines'], ['A', 'two\nlines']],
    ['checkbox', undefined, []],
    ['text', { toString: 'x' }, null],
  ] as Array<[AnswerFieldType, unknown, unknown]>)(
    'the field %s with %j is read as %j',
    (type, value, expected) => {
      expect(read(field(type), value)).toEqual(expected);
    },
  );

  it('must fill in what is required, and cannot change what is hidden', () => {
    for (const type of TYPES.filter((one) => one !== 'hiddenField')) {
      expect(read(field(type, { required: true }), ' ')).toBe('wrong');
    }
    expect(read(field('hiddenField', { value: 'mine' }), 'yours')).toBe('mine');
  });
});
