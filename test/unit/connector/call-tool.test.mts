import fc from '../../support/generated.mts';

import { readToolResult, takesConfirmation } from '../../../nodes/gateway/connector/tools.ts';
import { text } from '../../support/scripted-connector.mts';

const REFUSAL = { refused: true, reason: 'not confirmed', how_to: 'call again with confirm: true' };

describe('the result of a tool', () => {
  const REFUSED = { kind: 'refused', reason: 'not confirmed', howTo: 'call again with confirm: true' };
  const plain = (words: string) => ({ type: 'text', text: words });
  const image = { type: 'image', data: 'AA==' };

  it.each<[string, object, object]>([
    ['a JSON text', text({ amount: 1 }), { kind: 'value', value: { amount: 1 } }],
    ['a JSON list', text([1, 2]), { kind: 'value', value: [1, 2] }],
    ['plain text', { content: [plain('Done')] }, { kind: 'value', value: 'Done' }],
    ['several items', { content: [plain('{"a":1}'), image] }, { kind: 'value', value: [{ a: 1 }, image] }],
    ['a refusal', text(REFUSAL), REFUSED],
    ['a refusal that is an error too', text(REFUSAL, { isError: true }), REFUSED],
    ['a refusal without words', text({ refused: true }), { kind: 'refused', reason: '', howTo: '' }],
    ['what is not refused', text({ refused: false }), { kind: 'value', value: { refused: false } }],
    ['an error', text({ error: 'No' }, { isError: true }), { kind: 'failed', text: 'No' }],
    ['an error in plain text', { content: [plain('no')], isError: true }, { kind: 'failed', text: 'no' }],
    ['an envelope that was refused', text({ success: false, error: 'Access denied' }), { kind: 'failed' }],
    ['an error without words', { isError: true, content: [] }, { kind: 'failed', text: '' }],
    [
      'a long identifier',
      { content: [plain('{"id":9223372036854775807}')] },
      { kind: 'value', value: { id: '9223372036854775807' } },
    ],
    ...[true, 'true', 1].map((isError): [string, object, object] => [
      `an error by the flag ${JSON.stringify(isError)}`,
      { content: [plain('No')], isError },
      { kind: 'failed', text: 'No', isRefusal: false },
    ]),
    ...[false, 'false', 0, null].map((isError): [string, object, object] => [
      `no error by the flag ${JSON.stringify(isError)}`,
      { content: [plain('Yes')], isError },
      { kind: 'value', value: 'Yes' },
    ]),
    [
      'an error of two texts',
      { content: [plain('No'), plain('Access denied')], isError: true },
      { kind: 'failed', text: '["No","Access denied"]' },
    ],
    [
      'a failure among several items',
      { content: [plain('{"success":true}'), plain('{"success":false,"error":"No"}')] },
      { kind: 'failed', text: 'No', isRefusal: false },
    ],
    ['a refusal by text', text({ ...REFUSAL, refused: 'true' }), REFUSED],
    ...['Internal server error', 'Error', ''].map((error): [string, object, object] => [
      `an envelope with the words "${error}", which are none of a refusal`,
      text({ success: false, error }),
      { kind: 'failed', isRefusal: false },
    ]),
    [
      'an envelope that was refused by text',
      text({ success: '0', error: 'No' }),
      { kind: 'failed', isRefusal: true },
    ],
  ])('it is read from %s', (_, result, outcome) => expect(readToolResult(result)).toMatchObject(outcome));

  it.each([{ amount: 1 }, { content: '{"a":1}' }, { content: plain('5') }, { content: [] }, null, 'x'])(
    'is not read from %j, which has no items',
    (result) => expect(readToolResult(result)).toBeUndefined(),
  );

  it('is read without an exception, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (content, isError, other) => {
        for (const result of [{ content, isError, other }, { content: [content], isError }, content])
          expect(['value', 'refused', 'failed', undefined]).toContain(readToolResult(result)?.kind);
      }),
    );
  });
});

const OPEN = { type: 'object', properties: {} };
const CLOSED = { ...OPEN, additionalProperties: false };
const READS = { readOnlyHint: true };

it.each<[string, boolean, object]>([
  ['takes confirm', true, { inputSchema: { ...CLOSED, properties: { confirm: {} } } }],
  ['says nothing', true, {}],
  ['says that it does more than read', true, { inputSchema: OPEN, annotations: { readOnlyHint: false } }],
  ['only reads', false, { inputSchema: OPEN, annotations: READS }],
  ['has no place for confirm', false, { inputSchema: CLOSED, annotations: { destructiveHint: true } }],
])('a tool that %s gets the confirmation: %s', (_, takes, tool) =>
  expect(takesConfirmation({ name: 'a', ...tool })).toBe(takes),
);

it.each([
  ['says nothing of itself', false, {}],
  ['has an open schema', false, { inputSchema: OPEN }],
  ['takes the confirmation by its schema', true, { inputSchema: { properties: { confirm: {} } } }],
])('the tool balance, which the contract names as one that reads, %s', (_, takes, tool) =>
  expect(takesConfirmation({ name: 'balance', ...tool })).toBe(takes),
);
