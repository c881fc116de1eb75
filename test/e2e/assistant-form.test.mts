import type { ResourceMapperFields } from 'n8n-workflow';

import { e2eHost } from '../support/e2e-host.mts';
import { ACTION, CREDENTIAL_TYPE } from '../support/real-n8n.mts';

/** What the form of Call Tool asks the connector for, through a real n8n. */

const host = e2eHost();

const parameters = (tool = '') => ({
  resource: 'assistant',
  operation: 'callTool',
  tool: { __rl: true, mode: 'list', value: tool },
});
const credentials = () => ({ [CREDENTIAL_TYPE]: host.credential });

const listTools = async (filter?: string) =>
  await host.client.listSearch({
    nodeType: ACTION,
    methodName: 'searchTools',
    path: 'parameters.tool',
    parameters: parameters(),
    credentials: credentials(),
    ...(filter !== undefined && { filter }),
  });

const formOf = async (tool: string) =>
  await host.client.call<ResourceMapperFields>('POST', '/dynamic-node-parameters/resource-mapper-fields', {
    nodeTypeAndVersion: { name: ACTION, version: 1 },
    methodName: 'getToolArguments',
    path: 'parameters.argumentFields',
    currentNodeParameters: parameters(tool),
    credentials: credentials(),
  });
const argumentsOf = async (tool: string) => (await formOf(tool)).fields;

it('lists the tools, finds them by name and description, and says why those that send are missing', async () => {
  const tools = await listTools();
  expect(tools).toHaveLength(11);
  expect(tools.map(({ value }) => value)).toContain('send_sms');
  expect((await listTools('number')).map(({ value }) => value)).toContain('lookup_number');
  expect((await listTools('no such tool')).length).toBe(0);
  host.sandbox.configure({ connector: { sendEnabled: false } });
  const reading = await listTools();
  expect(reading).toHaveLength(7);
  const name = 'Sending tools are not offered: sending is switched off for sandbox.example.com';
  expect(reading.at(-1)).toMatchObject({ name, value: '' });
  host.sandbox.configure({ connector: { sendEnabled: true } });
});

it('gives the arguments of a tool as fields of their types, without the confirmation', async () => {
  const fields = await argumentsOf('send_voice');
  const types = Object.fromEntries(fields.map(({ id, type, required }) => [id, `${type} ${required}`]));
  expect(types).toEqual({
    phone: 'number true',
    text: 'string true',
    gender: 'options true',
    language: 'string true',
    voice: 'string true',
    dtmf: 'boolean false',
    id: 'number false',
  });
  expect(fields.find(({ id }) => id === 'gender')?.options?.map(({ value }) => value)).toEqual([
    'male',
    'female',
  ]);
  expect((await argumentsOf('send_pipeline')).find(({ id }) => id === 'channels')?.type).toBe('array');
  expect(await formOf('balance')).toEqual({
    fields: [],
    emptyFieldsNotice: 'This tool takes no arguments',
  });
  expect(await argumentsOf('')).toEqual([]);
  await expect(argumentsOf('nonsense')).rejects.toThrow('offers no tool');
});
