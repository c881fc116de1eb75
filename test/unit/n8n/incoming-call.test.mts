import type { IWebhookFunctions } from 'n8n-workflow';

import { readRequestBody } from '../../../nodes/n8n/incoming-call.ts';

const MOST = 1_000_000;

describe('whether a body is too large: one', () => {
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
  ])('%s', (_, request, body, expected) => expect(tooLarge(request, body)).toBe(expected));
});
