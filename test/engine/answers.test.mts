/** Answers as gateways write them, through n8n's engine: what was taken is known as taken, and a reason reaches the user. */
import { ANSWERS } from '../corpus/answers.mts';
import { titled } from '../corpus/case.mts';
import { runNode } from '../support/engine.mts';
import { smsForm } from '../support/sends.mts';
import { testServer } from '../support/web-server.mts';

const gateway = testServer();

// What becomes of a send whose answer says nothing is the matter of other tests.
const plain = ANSWERS.filter(({ right }) => right !== 'unknown');

it.each(titled(plain))('an answer says what became of its message: %s', async (_, { input, right }) => {
  gateway.answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(input);
  const { url } = gateway;
  const { json } = await runNode({
    credentials: { messagingGatewayApi: { apiKey: 'test-key', baseUrl: url } },
    parameters: smsForm({ phone: '380501234567' }),
    onError: 'continueRegularOutput',
  });
  if (right === 'accepted') expect(json).toEqual([expect.objectContaining({ msg_id: 9000, parts: 1 })]);
  else {
    const { refused } = right as { refused: string };
    expect(json).toEqual([expect.objectContaining({ error: expect.stringContaining(refused) })]);
  }
  expect(gateway.received.filter(({ body }) => body.includes('"type":"sms"'))).toHaveLength(1);
});

it.each([
  ['{"deleted":0}', { result: 'refused', deleted: false, count: 0 }],
  ['{}', { deleted: true, count: null }],
  ['1', { deleted: true, count: 1 }],
])('says what became of a template to delete where the gateway answers %s', async (data, output) => {
  gateway.answer = (response) => response.end(`{"success":true,"data":[{"success":true,"data":${data}}]}`);
  const { json } = await runNode({
    credentials: { messagingGatewayApi: { apiKey: 'test-key', baseUrl: gateway.url } },
    parameters: { resource: 'smsTemplate', operation: 'delete', template: 'Your order is ready' },
    onError: 'continueRegularOutput',
  });
  expect(json).toEqual([expect.objectContaining(output)]);
});
