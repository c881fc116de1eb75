/** Marks such as {link} in n8n's engine: places where the author wrote them, letters where they come with the data. */
import { ItemReader } from '../../nodes/MessagingGateway/parameters/item-reader.ts';
import { changeTexts, fillMarks, hasMark } from '../../nodes/MessagingGateway/parameters/marked-text.ts';
import { EXPRESSION_ENGINES, useExpressionEngine } from '../support/engine-parts.mts';
import { insideNode, parametersOf } from '../support/inside-node.mts';

const MARKS = ['{code}', '{minutes}'];
const about = { displayName: 'Message', marks: MARKS };
const VALUES = { '{code}': '<CODE>', '{minutes}': '<MIN>' };

/** What the text of each item becomes with its places filled in. */
async function filled(message: unknown, items: object[] = [{}]): Promise<Array<string | undefined>> {
  let texts: Array<string | undefined> = [];
  await insideNode((context) => {
    Object.assign(parametersOf(context), { message });
    const reader = new ItemReader(context);
    texts = items.map((_, index) => {
      const text = reader.readMarked('message', index, about);
      return text && fillMarks(text, VALUES);
    });
  }, items);
  return texts;
}

describe.each(EXPRESSION_ENGINES)("with n8n's %s engine", (engine) => {
  beforeAll(() => useExpressionEngine(engine));
  afterAll(() => useExpressionEngine('legacy'));

  it.each([
    ['a fixed text', 'A {code} B {minutes}', 'A <CODE> B <MIN>'],
    ['a fixed text with braces', '{{ $json.name }} {code}', '{{ $json.name }} <CODE>'],
    ['the text of an expression', '={code} for {{ $json.name }}', '<CODE> for {code}{minutes}'],
    ['a string of code', "={{ 'Code {code} of ' + $json.name }}", 'Code <CODE> of {code}{minutes}'],
    ['a choice of texts', '={{ $json.n === 1 ? "Код {code}" : `Code {code}` }}', 'Код <CODE>'],
    ['code with an escape', "={{ 'It\\'s {code}' }}", "It's <CODE>"],
    [
      'code that calls',
      '={{ "{code}".repeat(2) + $json.name.toUpperCase() }}',
      '<CODE><CODE>{CODE}{MINUTES}',
    ],
    ['code that takes apart', '={code} {{ [$json].map(({n}) => n).join() }}', '<CODE> 1'],
  ])('counts a mark in %s, and none of the data', async (_, message, expected) => {
    expect(await filled(message, [{ name: '{code}{minutes}', n: 1 }])).toEqual([expected]);
  });

  it.each([
    ['the data', '={{ $json.name }}', '{code}{minutes}'],
    ['data of another kind', '={{ [$json.name] }} ', '{code}{minutes} '],
    ['the names that code takes apart', '={{ [{code: 5}].map(({code}) => code).join() }}', '5'],
  ])('counts none in %s', async (_, message, expected) => {
    expect(await filled(message, [{ name: '{code}{minutes}' }])).toEqual([expected]);
  });
});

it('reads each item, and nothing where the text is empty or not set', async () => {
  const items = ['Ann', '{code}', 7, undefined].map((name) => ({ name }));
  expect(await filled('={{ $json.name }}: {code}', items)).toEqual([
    'Ann: <CODE>',
    '{code}: <CODE>',
    '7: <CODE>',
    ': <CODE>',
  ]);
  expect(await filled('={{ $json.name }}', items)).toEqual(['Ann', '{code}', '7', undefined]);
  expect(await filled(' ')).toEqual([undefined]);
});

it("can't be given a place by an earlier text of the process", async () => {
  const [first] = await filled('={code}{{ $json.x }}', [{ x: '' }]);
  expect(first).toBe('<CODE>');
  expect(await filled('={{ $json.x }}', [{ x: `\uFDD20${'1'.repeat(24)}` }])).toEqual([
    `\uFDD20${'1'.repeat(24)}`,
  ]);
});

it('tells which places there are, and changes only what stands between them', () => {
  const text = ['a {code} ', { mark: '{minutes}' }, ' b'];
  expect([hasMark(text, '{minutes}'), hasMark(text, '{code}')]).toEqual([true, false]);
  expect(
    fillMarks(
      changeTexts(text, (part) => part.toUpperCase()),
      {},
    ),
  ).toBe('A {CODE} {minutes} B');
});
