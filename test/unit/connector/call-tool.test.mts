import fc from '../../support/generated.mts';

import { isSending, readToolResult, takesConfirmation } from '../../../nodes/gateway/connector/tools.ts';
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
    ['no items', { content: [] }, { kind: 'value', value: [] }],
    ['structured content', text(1, { structuredContent: { b: 2 } }), { kind: 'value', value: { b: 2 } }],
    ['a refusal', text(REFUSAL), REFUSED],
    ['a refusal that is an error too', text(REFUSAL, { isError: true }), REFUSED],
    ['a refusal beside structured content', text(REFUSAL, { structuredContent: {} }), REFUSED],
    ['a refusal without words', text({ refused: true }), { kind: 'refused', reason: '', howTo: '' }],
    ['what is not refused', text({ refused: false }), { kind: 'value', value: { refused: false } }],
    ['an error', text({ error: 'No' }, { isError: true }), { kind: 'failed', text: 'No' }],
    ['an error in plain text', { content: [plain('no')], isError: true }, { kind: 'failed', text: 'no' }],
    ['an envelope that was refused', text({ success: false, error: 'Access denied' }), { kind: 'failed' }],
    ['an error without words', { isError: true, content: [] }, { kind: 'failed', text: '' }],
    ['content that is one item', { content: plain('{"a":1}') }, { kind: 'value', value: { a: 1 } }],
    ['content that is text', { content: '{"a":1}' }, { kind: 'value', value: { a: 1 } }],
    ['content that is the result', { content: { amount: 1 } }, { kind: 'value', value: { amount: 1 } }],
    ['content keyed by index', { content: { 0: plain('5') } }, { kind: 'value', value: 5 }],
    ['texts without their items', { content: ['{"a":1}', 'b'] }, { kind: 'value', value: [{ a: 1 }, 'b'] }],
    ['an item that names no type', { content: [{ text: '5' }] }, { kind: 'value', value: 5 }],
    ['a result without content', { amount: 1 }, { kind: 'value', value: { amount: 1 } }],
    [
      'a long identifier',
      { content: [plain('{"id":9223372036854775807}')] },
      { kind: 'value', value: { id: '9223372036854775807' } },
    ],
    ...['true', 1, ' TRUE ', 'yes', { code: 1 }].map((isError): [string, object, object] => [
      `an error by the flag ${JSON.stringify(isError)}`,
      { content: [plain('No')], isError },
      { kind: 'failed', text: 'No', nothingDone: false },
    ]),
    ...['false', 0, '0', null, '', []].map((isError): [string, object, object] => [
      `no error by the flag ${JSON.stringify(isError)}`,
      { content: [plain('Yes')], isError },
      { kind: 'value', value: 'Yes' },
    ]),
    [
      'an error of two texts',
      { content: [plain('No'), plain('Access denied')], isError: true },
      { kind: 'failed', text: 'No; Access denied' },
    ],
    ['a refusal by text', text({ ...REFUSAL, refused: 'true' }), REFUSED],
    [
      'an envelope that was refused by text',
      text({ success: '0', error: 'No' }),
      { kind: 'failed', nothingDone: true },
    ],
  ])('it is read from %s', (_, result, outcome) => expect(readToolResult(result)).toMatchObject(outcome));

  it('is read without an exception, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (content, isError, other) => {
        expect(['value', 'refused', 'failed']).toContain(readToolResult({ content, isError, other }).kind);
        expect(readToolResult(content).kind).toBeDefined();
      }),
    );
  });
});

describe('what sends', () => {
  const SENDS = { destructiveHint: true };
  const CLOSED = { type: 'object', properties: {}, additionalProperties: false };

  it.each<[string, object | undefined, boolean, boolean]>([
    ['takes confirm', { inputSchema: { ...CLOSED, properties: { confirm: {} } } }, true, true],
    ['only reads', { inputSchema: CLOSED, annotations: { readOnlyHint: true } }, false, false],
    ['says nothing', {}, false, false],
    ['says that it does more than read', { annotations: { readOnlyHint: false } }, true, true],
    ['sends, and takes no confirm', { inputSchema: CLOSED, annotations: SENDS }, true, false],
  ])('a tool that %s', (_, tool, sends, takes) => {
    expect(isSending({ name: 'a', ...tool })).toBe(sends);
    expect(takesConfirmation({ name: 'a', ...tool })).toBe(takes);
  });

  it('an unknown tool is told that it is confirmed', () => expect(takesConfirmation(undefined)).toBe(true));
});
