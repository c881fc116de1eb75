import fc from 'fast-check';

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
    ['an error without words', { isError: true, content: [] }, { kind: 'failed', text: '[]' }],
  ])('reads %s', (_, result, outcome) => expect(readToolResult(result)).toMatchObject(outcome));

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
