import fc from 'fast-check';

import { readAnswers } from '../../../nodes/gateway/pages/answer-fields.ts';
import type { AnswerField, AnswerFieldType } from '../../../nodes/gateway/pages/answer-fields.ts';
import { markup } from '../../../nodes/gateway/pages/markup.ts';
import type { Question } from '../../../nodes/gateway/pages/question-page.ts';
import {
  noticePage,
  PAGE_TEXTS,
  questionPage,
  closedPage,
} from '../../../nodes/gateway/pages/question-page.ts';

const question = (word: string, fields: AnswerField[] = []): Question => ({
  title: word,
  text: word,
  from: word,
  fields,
  choices: [{ value: word, label: word, style: 'primary' }],
  language: word,
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
      questionPage(
        question(word, everyField(word)),
        word,
        Object.fromEntries(TYPES.map((_, i) => [`f${i}`, [word, `${word}x`]])),
      ),
      noticePage(question(word), word, word),
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
    options: ['A', 'B'],
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
    ['email', ' a@example.com ', 'a@example.com'],
    ['email', 'a@b', 'wrong'],
    ['date', '2026-11-21', '2026-11-21'],
    ['date', 'tomorrow', 'wrong'],
    ['dropdown', 'B', 'B'],
    ['dropdown', 'C', 'wrong'],
    ['radio', ['A', 'B'], 'wrong'],
    ['checkbox', 'A', ['A']],
    ['checkbox', ['A', 'B'], ['A', 'B']],
    ['checkbox', ['A', 'C'], 'wrong'],
    ['checkbox', undefined, []],
    ['text', { toString: 'x' }, null],
  ] as Array<[AnswerFieldType, unknown, unknown]>)('%s %j is %j', (type, value, expected) => {
    expect(read(field(type), value)).toEqual(expected);
  });

  it('must fill in what is required, and cannot change what is hidden', () => {
    for (const type of TYPES.filter((one) => one !== 'hiddenField')) {
      expect(read(field(type, { required: true }), ' ')).toBe('wrong');
    }
    expect(read(field('hiddenField', { value: 'mine' }), 'yours')).toBe('mine');
  });
});
