import type { IWebhookFunctions } from 'n8n-workflow';

import { RefusedCall } from '../../../nodes/gateway/callback/refused-call.ts';
import { answerCall, readBody } from '../../../nodes/n8n/incoming-call.ts';

const MOST = 1_000_000;

describe('whether a body is too large', () => {
  const tooLarge = async (request: object, body: unknown = {}) =>
    await readBody({
      getRequestObject: () => request,
      getBodyData: () => body,
    } as unknown as IWebhookFunctions).then(
      () => false,
      ({ status }: RefusedCall) => status === 413,
    );
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
  ])('a body %s is let in only within the limit', async (_, request, body, expected) =>
    expect(await tooLarge(request, body)).toBe(expected),
  );
});

describe('a body', () => {
  const read = async (text: string | Buffer, parsed: unknown = {}, more: object = {}) =>
    await readBody({
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
  ])('is read as JSON: %s', async (...[, text, parsed, more]) =>
    expect(await read(text, parsed, more)).toMatchObject({ id: 1 }),
  );

  it('keeps the last digits of its identifiers', async () => {
    expect(await read('[{"id":9223372036854775807}]', [{ id: 9223372036854775807 }])).toEqual([
      { id: '9223372036854775807' },
    ]);
  });

  it('is the fields of a form in parts, as cURL of PHP sends a list, of which n8n keeps no raw body', async () => {
    const request = { contentType: 'multipart/form-data', headers: {} };
    const readForm = async (body: unknown) =>
      await readBody({
        getRequestObject: () => request,
        getBodyData: () => body,
      } as unknown as IWebhookFunctions);
    expect(await readForm({ data: { success: '1', id: '7' }, files: {} })).toEqual({ success: '1', id: '7' });
    expect(await readForm({})).toBeUndefined();
  });

  it('is what n8n made of it where it is no JSON, and nothing where it is broken JSON', async () => {
    expect(await read('id=1', { id: '1' })).toEqual({ id: '1' });
    expect(await read('{id=1', { '{id': '1' })).toBeUndefined();
    expect(await read('words', {})).toEqual({});
  });
});

it.each<[what: string, thrown: unknown, status: number, error: string, logged: string[]]>([
  ['a refusal', new RefusedCall(404, 'Not here'), 404, 'Not here', []],
  [
    'any other error',
    new Error('broken'),
    503,
    'The call could not be handled now',
    ['"Ask": a call could not be handled: broken'],
  ],
])('a call is answered where %s is thrown', async (_, thrown, status, error, logged) => {
  const answered: unknown[] = [];
  const log: string[] = [];
  const context = {
    getNode: () => ({ name: 'Ask' }),
    getResponseObject: () => ({
      status: (code: number) => ({ json: (body: unknown) => answered.push([code, body]) }),
    }),
    logger: { error: (text: string) => log.push(text) },
  } as unknown as IWebhookFunctions;
  expect(await answerCall(context, async () => await Promise.reject(thrown))).toEqual({
    noWebhookResponse: true,
  });
  expect([answered, log]).toEqual([[[status, { error }]], logged]);
});

it.each<[string, object, boolean]>([
  ['what n8n left', { headers: { 'content-length': '9' } }, true],
  ['of no declared length', {}, true],
  ['declared too long', { headers: { 'content-length': String(MOST + 1) } }, false],
  ['that n8n has read', { rawBody: Buffer.from('{}') }, false],
  ['the parts of a form', { contentType: 'multipart/form-data' }, false],
])('loads a body only where it has to: %s', async (_, request, expected) => {
  const readRawBody = jest.fn().mockResolvedValue(undefined);
  const context = { getRequestObject: () => ({ ...request, readRawBody }), getBodyData: () => ({}) };
  await readBody(context as unknown as IWebhookFunctions).catch(() => undefined);
  expect(readRawBody).toHaveBeenCalledTimes(expected ? 1 : 0);
});
