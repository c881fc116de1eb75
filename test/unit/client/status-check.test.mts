import { askStatus } from '../../../nodes/gateway/client/status-check.ts';
import type { Transport } from '../../../nodes/gateway/client/transport.ts';

const answering =
  (item: unknown): Transport =>
  async (_, data) =>
    await Promise.resolve({
      kind: 'answer',
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ success: true, data: data.map(() => item) }),
    });

const ask = async (item: unknown) => (await askStatus(answering(item), [{ type: 'sms', id: 5, phone: 380501234567 }]))[0];
const refusal = (error: string) => ({ success: false, error, data: { id: 5 } });

it.each([
  ['Message not found'],
  ['Not found'],
  ['not found'],
  ['No such message'],
  ['No data'],
  ['Message does not exist'],
  ['Unknown id'],
  ['Wrong id'],
  ['Invalid message id'],
  ['Unknown message'],
  ['Message has not been found'],
  ['Message with id 5 not found'],
  ['NOT_FOUND'],
  ['Status not found'],
  ['Nothing found'],
  ['id is unknown'],
])('"%s" means that the gateway does not have the message', async (text) => {
  expect(await ask(refusal(text))).toEqual({ known: false });
});

it.each([
  ['Access denied'],
  ['Internal error'],
  ['Too many requests'],
  ['Service unavailable, try again later'],
  ['Something odd'],
  [''],
])('"%s" leaves the question open', async (text) => {
  expect(await ask(refusal(text))).toBeUndefined();
});

it.each([['ACCEPTED'], ['DELIVERED'], ['REJECTED'], ['UNDELIVERABLE']])('status %s means that it was taken', async (status) => {
  const payload = { id: 5, status };
  expect(await ask({ success: true, data: payload })).toEqual({ known: true, payload });
});

it.each([[{ id: 5, status: 'UNKNOWN' }], [{ id: 5 }], [null], ['DELIVERED'], [{ id: 6, status: 'DELIVERED' }]])(
  'the answer %j leaves the question open',
  async (data) => {
    expect(await ask({ success: true, data })).toBeUndefined();
  },
);
