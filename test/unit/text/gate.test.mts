/** The gate: what comes in is no longer than its field takes, and what is behind the gate takes no time for that length. */
import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { sendOnceId } from '../../../nodes/gateway/keys/send-once-id.ts';
import { readAnswers } from '../../../nodes/gateway/pages/answer-fields.ts';
import { findAnswer } from '../../../nodes/gateway/connector/client.ts';
import { readTools } from '../../../nodes/gateway/connector/tools.ts';
import { readEnvelope } from '../../../nodes/gateway/contract/envelope.ts';
import { leftoverIn } from '../../../nodes/gateway/text/characters.ts';
import { excessIn, LONGEST_ANSWER_OF, LONGEST_VALUE, MAX_ENTRIES } from '../../../nodes/gateway/text/gate.ts';
import { fromForeignJson } from '../../../nodes/gateway/text/json.ts';

const MOST: Record<string, number> = { options: 1_000_000, sendOnceKey: 10, hook: 20 };
const maxOf = (name: string) => MOST[name];

/** Milliseconds of processor time. */
function timeOf(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

it.each([
  ['a text', 'x'.repeat(11), 'sendOnceKey', { name: 'sendOnceKey', length: 11, max: 10 }],
  ['a text as long as allowed', 'x'.repeat(10), 'sendOnceKey', undefined],
  [
    'a text in a group',
    { group: { values: { hook: 'x'.repeat(21) } } },
    'options',
    { name: 'hook', length: 21, max: 20 },
  ],
  [
    'texts of a list together',
    ['x'.repeat(6), 'y'.repeat(6)],
    'sendOnceKey',
    { name: 'sendOnceKey', length: 12, max: 10 },
  ],
  [
    'names that no parameter has',
    { sendOnceKey: { ['n'.repeat(11)]: 1 } },
    'options',
    { name: 'sendOnceKey', length: 11, max: 10 },
  ],
  ['a date', { sendOnceKey: new Date(0) }, 'options', undefined],
])('finds %s that is too long, and names its field', (_, value, name, right) => {
  expect(excessIn(value, name, maxOf)).toEqual(right);
});

it.each(['{', '{{', '{{ ', '}}{{'])('looks for leftovers in 500 KB of "%s" in no time', (unit) => {
  expect(timeOf(() => leftoverIn(unit.repeat(500_000 / unit.length)))).toBeLessThan(200);
});

it('still finds each leftover, and the first of several', () => {
  expect(leftoverIn('a {{ $json.b }} c {{')).toBe('{{ $json.b }}');
  expect(leftoverIn('{{ a')).toBeUndefined();
});

it('orders the marks of the longest key in no time', () => {
  expect(timeOf(() => sendOnceId('\u0301\u0323'.repeat(LONGEST_VALUE.word / 2), 380501234567))).toBeLessThan(
    100,
  );
});

const CALLBACK = { success: true, id: 1 };
const replies = (count: number) => Array.from({ length: count }, (_, i) => ({ message: String(i) }));

it('refuses many replies beside a long field, and takes each of the two alone', () => {
  const long = 'x'.repeat(500_000);
  expect(() => parseCallback({ ...CALLBACK, long, replies: replies(999) })).toThrow(
    'many replies beside a long field',
  );
  expect(parseCallback({ ...CALLBACK, long, replies: replies(10) }).callbacks).toHaveLength(1);
  expect(parseCallback({ ...CALLBACK, replies: replies(999) }).callbacks).toHaveLength(1);
});

it('refuses a callback whose field has a name that is no name', () => {
  expect(() => parseCallback({ ...CALLBACK, ['\u0301'.repeat(150_000)]: 1 })).toThrow('very long name');
});

it('takes each checkbox once', () => {
  const field = { type: 'checkbox' as const, name: 'a', label: 'A', options: ['x', 'y'] };
  expect(readAnswers([field], { f0: Array<string>(100_000).fill('x') })).toEqual({ a: ['x'] });
});

const RESULT = { jsonrpc: '2.0', id: 1, result: { content: [] } };

it('finds the answer behind 2 MB of events, in no time', () => {
  const events = 'data:x\n\n'.repeat(LONGEST_ANSWER_OF.connector / 8);
  const text = `${events}data: ${JSON.stringify(RESULT)}\n\n`;
  let found: unknown;
  expect(timeOf(() => (found = findAnswer(text, 1)))).toBeLessThan(500);
  expect(found).toEqual({ result: RESULT.result });
});

it('takes no list of more than 1,000 tools, and refuses it in no time', () => {
  const tools = (count: number) => ({ tools: Array<object>(count).fill({ name: 'a' }) });
  expect(readTools(tools(MAX_ENTRIES))?.tools).toHaveLength(MAX_ENTRIES);
  expect(timeOf(() => expect(readTools(tools(900_000))).toBeUndefined())).toBeLessThan(200);
});

it.each(['{},', '[],', '1,', '"",'])(
  'reads the longest answer of a gateway, made of %s, without a break',
  (unit) => {
    const body = `{"success":true,"data":[${unit.repeat((LONGEST_ANSWER_OF.gateway - 40) / unit.length)}{}]}`;
    const time = timeOf(() => readEnvelope(fromForeignJson(body)));
    expect(time).toBeLessThan(1000);
  },
);
