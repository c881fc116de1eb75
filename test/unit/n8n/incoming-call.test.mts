import type { IWebhookFunctions } from 'n8n-workflow';

import { loadBody, readRequestBody } from '../../../nodes/n8n/incoming-call.ts';

const MOST = 1_000_000;

describe('whether a body is too large', () => {
  const tooLarge = (request: object, body: unknown = {}) =>
    !readRequestBody({
      getRequestObject: () => request,
      getBodyData: () => body,
    } as unknown as IWebhookFunctions).ok;
  const over = MOST + 1;
  const form = (value: unknown) => ({ data: { replies: value }, files: {} });

  it.each<[string, object, unknown, boolean]>([
    ['of the largest size', { rawBody: Buffer.alloc(MOST) }, {}, false],
    ['that is larger', { rawBody: Buffer.alloc(over) }, {}, true],
    [
      'whose compressed length is declared',
      { rawBody: Buffer.alloc(over), headers: { 'content-length': '9' } },
      {},
      true,
    ],
    ['that is a form of a declared length', { headers: { 'content-length': String(over) } }, form('a'), true],
    ['that is a form with a large field', { headers: {} }, form('a'.repeat(over)), true],
    ['that is a form with many fields', { headers: {} }, form(Array(MOST / 2).fill('ab')), true],
    ['that is a small form', { headers: { 'content-length': '100' } }, form('a'), false],
    ['that is absent', {}, undefined, false],
  ])('a body %s is let in only within the limit', (_, request, body, expected) =>
    expect(tooLarge(request, body)).toBe(expected),
  );
});

describe('a body', () => {
  const read = (text: string | Buffer, parsed: unknown = {}, more: object = {}) =>
    readRequestBody({
      getRequestObject: () => ({ rawBody: Buffer.from(text as string), ...more }),
      getBodyData: () => parsed,
    } as unknown as IWebhookFunctions);

  it.each<[string, string | Buffer, unknown, object?]>([
    ['with a content type that n8n does not read', '{"id":1}', {}],
    ['sent as text', '{"id":1}', '{"id":1}'],
    [
      'sent as a form, which n8n takes apart',
      '{"id":1,"error":"a=b&c"}',
      { '{"id":1,"error":"a': 'b', c: '' },
    ],
    ['behind a byte order mark', '\ufeff\n {"id":1}', '\ufeff\n {"id":1}'],
    ['in another encoding', Buffer.from('{"id":1}', 'utf16le'), {}, { encoding: 'utf-16le' }],
    ['with the name of an encoding that nobody knows', '{"id":1}', {}, { encoding: 'x-none' }],
  ])('is read as JSON: %s', (...[, text, parsed, more]) =>
    expect(read(text, parsed, more)).toMatchObject({ ok: true, body: { id: 1 } }),
  );

  it('keeps the last digits of its identifiers', () => {
    expect(read('[{"id":9223372036854775807}]', [{ id: 9223372036854775807 }])).toEqual({
      ok: true,
      body: [{ id: '9223372036854775807' }],
    });
  });

  it('is what n8n made of it where it is no JSON', () => {
    expect(read('id=1', { id: '1' })).toEqual({ ok: true, body: { id: '1' } });
    expect(read('{id=1', { '{id': '1' })).toEqual({ ok: true, body: { '{id': '1' } });
    expect(read('words', {})).toEqual({ ok: true, body: {} });
  });
});

it.each<[string, object, boolean]>([
  ['what n8n left', { headers: { 'content-length': '9' } }, true],
  ['of no declared length', {}, true],
  ['declared too long', { headers: { 'content-length': String(MOST + 1) } }, false],
  ['that n8n has read', { rawBody: Buffer.from('{}') }, false],
  ['the parts of a form', { contentType: 'multipart/form-data' }, false],
])('loads a body only where it has to: %s', async (_, request, expected) => {
  const readRawBody = jest.fn().mockResolvedValue(undefined);
  const context = { getRequestObject: () => ({ ...request, readRawBody }) } as unknown as IWebhookFunctions;
  await loadBody(context);
  expect(readRawBody).toHaveBeenCalledTimes(expected ? 1 : 0);
});
