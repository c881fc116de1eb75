/** The JSON Schema and the OpenAPI file of the contract, against the sandbox, which reads the contract on its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import * as channels from '../../../nodes/gateway/contract/channels.ts';
import * as operations from '../../../nodes/gateway/contract/operations.ts';
import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { contractFiles } from '../../../tools/build/contract-schema/files.mts';
import { mustRun } from '../../../tools/run-command.mts';
import { GOOD, listenForCallbacks, MCP_HEADERS, PHONE, post, queue, run } from '../sandbox/client.mts';
import type { Operation } from '../sandbox/client.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const schema = JSON.parse(readFileSync(join(ROOT, 'docs/contract.schema.json'), 'utf8'));

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
ajv.addKeyword('x-open');
addFormats.default(ajv);
ajv.addSchema(schema, 'contract');

/** What is wrong with a value, by the name of an object of the contract; empty where nothing is. */
function problems(name: string, value: unknown): string[] {
  const validate = ajv.getSchema(`contract#/$defs/${name}`);
  if (!validate) throw new Error(`There is no ${name}`);
  return validate(value) === true
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const nameOf = (type: string) => type.replaceAll(/[^a-z]/g, '-');

const TEMPLATE = { template: 'Hello {name}' };
/** One good operation of each type. */
const ALL: Record<string, Operation> = {
  ...GOOD,
  ...Object.fromEntries(
    ['balance', 'sender', 'template/list', 'template/viber/list'].map((type) => [type, { type }]),
  ),
  status: { type: 'status', id: 1 },
  pipeline: {
    ...{ type: 'pipeline', id: 1, phone: PHONE, pipeline: ['viber', 'sms'] },
    sms: { message: 'Hello', signature: 'TestSender' },
    viber: { message: 'Hello', signature: 'TestSender', type: 'text' },
  },
  'template/create': { type: 'template/create', ...TEMPLATE, name: 'Greeting' },
  'template/viber/create': { type: 'template/viber/create', ...TEMPLATE },
  'template/delete': { type: 'template/delete', ...TEMPLATE },
  'template/viber/delete': { type: 'template/viber/delete', ...TEMPLATE },
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ config: { outcomes: { afterMs: 1 } } });
});
afterAll(async () => await sandbox.close());

it('has operations of all twenty types, and says nothing against good ones or against a whole request', () => {
  expect(Object.keys(ALL).sort()).toEqual([...operations.WIRE_TYPES].sort());
  for (const [type, operation] of Object.entries(ALL)) {
    expect([type, problems(`operation.${nameOf(type)}`, operation)]).toEqual([type, []]);
  }
  const request = { auth: 'key', data: Object.values(ALL) };
  expect(ajv.validate(schema, request)).toBe(true);
  expect(ajv.validate(schema, { ...request, data: [] })).toBe(false);
  expect(ajv.validate(schema, { ...request, data: [{ type: 'whatsapp' }] })).toBe(false);
});

it('refuses what the check of the nodes refuses, and takes what that takes, with each field left out or muddled', () => {
  const wrongs = [undefined, null, '', ' ', 'x', -1, 1.5, 2 ** 53, true, [], {}, ['sms', 'sms']];
  let compared = 0;
  for (const [type, operation] of Object.entries(ALL)) {
    for (const field of Object.keys(operation).filter((name) => name !== 'type')) {
      for (const wrong of wrongs) {
        const changed: Operation = { ...operation, [field]: wrong };
        // As it would be on the wire.
        const sent = JSON.parse(JSON.stringify(changed)) as Operation;
        const own = operations.findIssue(type as operations.WireType, sent);
        const found = problems(`operation.${nameOf(type)}`, sent);
        // Which texts are addresses, JSON Schema can't say.
        if (own !== undefined && found.length === 0) expect(own.message).toMatch(/address/);
        else expect([type, field, wrong, own !== undefined]).toEqual([type, field, wrong, found.length > 0]);
        compared += 1;
      }
    }
  }
  expect(compared).toBeGreaterThan(800);
});

it.each(Object.entries(ALL))('describes what the sandbox answers to %s', async (type, operation) => {
  const answer = await run(sandbox, [operation]);
  expect(answer.data[0].success).toBe(true);
  expect(problems('answer', answer)).toEqual([]);
  expect(problems(`result.${nameOf(type)}`, answer.data[0])).toEqual([]);
  // Broken in ways that matter, and told from a good one each time.
  const [item] = answer.data;
  const broken = [
    { ...item, success: 'true' },
    { ...item, success: 1 },
    { data: item.data },
    { success: false, error: 'No' },
    { success: false, data: item.data },
    ...('id' in item.data ? [{ ...item, data: { ...item.data, id: true } }] : []),
    ...('parts' in item.data ? [{ ...item, data: { ...item.data, parts: '1' } }] : []),
    ...('code' in item.data ? [{ ...item, data: { ...item.data, code: 1234 } }] : []),
  ];
  expect(broken.filter((one) => problems(`result.${nameOf(type)}`, one).length === 0)).toEqual([]);
});

it('describes refusals, failed results and receipts of the sandbox', async () => {
  const refusal = await run(sandbox, [ALL.balance], 'no-key');
  expect([refusal.error, problems('answer', refusal)]).toEqual(['Access denied', []]);
  const failed = await run(sandbox, [
    { ...ALL.sms, sms_signature: 'Nobody' },
    { type: 'status', id: 404 },
  ]);
  expect(failed.data.map(({ success }) => success)).toEqual([false, false]);
  expect(problems('answer', failed)).toEqual([]);
  const receipt = await queue(sandbox, [ALL.sms]);
  expect(problems('queueAnswer', receipt)).toEqual([]);
  expect(problems('queueAnswer', { success: true })).not.toEqual([]);
  expect(problems('answer', receipt)).not.toEqual([]);
  expect(problems('answer', { success: true })).not.toEqual([]);
});

it('describes the callbacks of the sandbox', async () => {
  const hook = await listenForCallbacks();
  const [sms, viber] = [ALL.sms, ALL.viber].map((one, index) => ({ ...one, id: 70 + index, hook: hook.url }));
  await run(sandbox, [sms, viber]);
  await queue(sandbox, [{ ...sms, id: 72, sms_signature: 'Nobody' }]);
  await sandbox.settled();
  sandbox.act(sandbox.messages.list().find(({ id }) => id === 71)!.msgId, 'reply', {
    message: 'Yes',
    media: { url: 'https://example.com/a.png', filename: 'a.png', filesize: 5 },
  });
  await sandbox.settled();
  await hook.close();
  const bodies = hook.received.map(({ body }) => body);
  expect(bodies.map(({ status }) => status).sort()).toEqual([
    'DELIVERED',
    'DELIVERED',
    'REJECTED',
    'REPLIED',
  ]);
  for (const body of bodies) expect([body.status, problems('callback', body)]).toEqual([body.status, []]);
  const [body] = bodies;
  for (const change of [
    { success: 'yes' },
    { success: undefined },
    { duration: '5' },
    { replies: 'x' },
    { id: {} },
  ]) {
    expect(problems('callback', { ...body, ...change })).not.toEqual([]);
  }
});

it('describes the connector of the sandbox', async () => {
  const health = await (await fetch(`${sandbox.mcpUrl}/health`)).json();
  expect(problems('health', health)).toEqual([]);
  expect(problems('health', { ...health, ok: 1 })).not.toEqual([]);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'balance', arguments: {} } };
  expect(problems('toolCall', call)).toEqual([]);
  const answer = await (await post(`${sandbox.mcpUrl}/mcp`, call, MCP_HEADERS)).json();
  expect(problems('toolAnswer', answer)).toEqual([]);
  expect(problems('toolAnswer', { ...answer, result: { content: [{ type: 'text' }] } })).not.toEqual([]);
});

it('is valid as OpenAPI 3.1, with the same objects, and names in it what the contract leaves open', async () => {
  const [, { text }] = contractFiles({ ...channels, ...operations });
  const openApi = JSON.parse(text);
  const code = `import { Validator } from '@seriousme/openapi-schema-validator';
    const result = await new Validator().validate(process.argv[1]);
    console.log(JSON.stringify(result));`;
  const result = await mustRun('node', ['--input-type=module', '-e', code, join(ROOT, 'docs/openapi.json')]);
  expect(JSON.parse(result)).toEqual({ valid: true });
  expect(Object.keys(openApi.components.schemas)).toEqual(Object.keys(schema.$defs));
  expect(text.match(/"x-open": /g)!.length).toBeGreaterThan(25);
  for (const type of ['balance', 'sender', 'hlr', 'status', 'template/list']) {
    expect([type, schema.$defs[`payload.${nameOf(type)}`]['x-open']]).toEqual([type, expect.any(String)]);
  }
});
