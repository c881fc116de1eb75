import fc from 'fast-check';

import { isSending, readToolResult, takesConfirmation } from '../../../nodes/gateway/connector/tools.ts';
import { text } from '../../support/scripted-connector.mts';

const REFUSAL = { refused: true, reason: 'not confirmed', how_to: 'call again with confirm: true' };

describe('the result of a tool', () => {
  it.each([
    [
      'a JSON text',
      text({ amount: 1, currency: 'EUR' }),
      { kind: 'value', value: { amount: 1, currency: 'EUR' } },
    ],
    ['a JSON list', text([1, 2]), { kind: 'value', value: [1, 2] }],
    ['plain text', { content: [{ type: 'text', text: 'Done' }] }, { kind: 'value', value: 'Done' }],
    [
      'several items',
      {
        content: [
          { type: 'text', text: '{"a":1}' },
          { type: 'image', data: 'AA==' },
        ],
      },
      { kind: 'value', value: [{ a: 1 }, { type: 'image', data: 'AA==' }] },
    ],
    ['no items', { content: [] }, { kind: 'value', value: [] }],
    [
      'structured content',
      text({ a: 1 }, { structuredContent: { b: 2 } }),
      { kind: 'value', value: { b: 2 } },
    ],
    [
      'a refusal',
      text(REFUSAL),
      { kind: 'refused', reason: 'not confirmed', howTo: 'call again with confirm: true' },
    ],
    ['a refusal that is an error too', text(REFUSAL, { isError: true }), { kind: 'refused' }],
    ['a refusal beside structured content', text(REFUSAL, { structuredContent: {} }), { kind: 'refused' }],
    ['a refusal without words', text({ refused: true }), { kind: 'refused', reason: '', howTo: '' }],
    [
      'what is not refused',
      text({ refused: false, id: 1 }),
      { kind: 'value', value: { refused: false, id: 1 } },
    ],
    [
      'an error',
      text({ error: 'Access denied' }, { isError: true }),
      { kind: 'failed', text: 'Access denied' },
    ],
    [
      'an error in plain text',
      { content: [{ type: 'text', text: 'no' }], isError: true },
      { kind: 'failed', text: 'no' },
    ],
    ['an envelope that was refused', text({ success: false, error: 'Access denied' }), { kind: 'failed' }],
    ['an error without words', { isError: true, content: [] }, { kind: 'failed', text: '[]' }],
  ])('reads %s', (_, result, outcome) => {
    expect(readToolResult(result)).toMatchObject(outcome);
  });

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
  const schema = (properties: object, additionalProperties = true) => ({
    type: 'object',
    properties,
    additionalProperties,
  });

  it.each([
    ['takes confirm', { name: 'a', inputSchema: schema({ confirm: {} }, false) }, true, true],
    [
      'only reads',
      { name: 'a', inputSchema: schema({}, false), annotations: { readOnlyHint: true } },
      false,
      false,
    ],
    ['says nothing', { name: 'a' }, false, false],
    ['says that it does more than read', { name: 'a', annotations: { readOnlyHint: false } }, true, true],
    [
      'sends, but takes no argument of that name',
      { name: 'a', inputSchema: schema({}, false), annotations: { destructiveHint: true } },
      true,
      false,
    ],
  ])('a tool that %s', (_, tool, sends, takes) => {
    expect(isSending(tool)).toBe(sends);
    expect(takesConfirmation(tool)).toBe(takes);
  });

  it('an unknown tool is told that it is confirmed', () => {
    expect(takesConfirmation(undefined)).toBe(true);
  });
});
