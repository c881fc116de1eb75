/** Every operation in a real n8n: what the packed package puts on the wire, and what comes out. */
import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../tools/n8n-host/rest-client.mts';
import { OPERATION_CASES } from '../support/operation-cases.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { action, rows, START, workflow } from '../support/real-n8n.mts';

/** By the name of its node. Each has an id of its own, by which its operation is found on the wire. */
const CASES = OPERATION_CASES.map((one, i) => {
  const item = { id: 1001 + i, phone: '+380 (50) 123-45-67' };
  const target = { none: {}, id: { id: item.id }, 'id and phone': { ...item, phone: 380501234567 } }[
    one.target
  ];
  return { ...one, name: `${one.resource} ${one.operation} ${i}`, item, sent: { ...one.wire, ...target } };
});

const host = e2eHost();
let execution: Execution;
let wire: IDataObject[];

beforeAll(async () => {
  const chains = CASES.map(({ name, resource, operation, parameters, item }) => [
    rows(`Rows of ${name}`, [item]),
    action(
      name,
      host.credential,
      { resource, operation, ...parameters },
      { onError: 'continueRegularOutput' },
    ),
  ]);
  execution = await host.client.runToEnd(workflow(...chains), START);
  wire = host.sandbox.requests.flatMap(({ body }) => (body as { data: IDataObject[] }).data);
});

/** What the contract doesn't declare: a property that the user adds, and the text that a voice stage needs. */
const UNDECLARED = ['data[0].tag', 'data[0].voice.message'];

it('runs every operation to the end, and puts nothing on the wire that the contract does not declare', () => {
  expect(execution.status).toBe('success');
  expect(wire).toHaveLength(CASES.length);
  const undeclared = new Set(host.sandbox.requests.flatMap((request) => request.undeclared));
  expect([...undeclared].sort()).toEqual(UNDECLARED);
});

it.each(CASES)('sends exactly the fields and types of the contract for $name', ({ sent }) => {
  expect(wire).toContainEqual(sent);
});

it.each(CASES.filter(({ operation }) => !['delete', 'getAll'].includes(operation)))(
  'puts out one paired item without an error for $name',
  ({ name, output, sent }) => {
    const { type, id, phone } = sent as IDataObject;
    const isSend = 'msg_id' in output;
    expect(execution.items(name)).toEqual([
      {
        json: expect.objectContaining({ ...output, ...(isSend && { type, id, phone }) }),
        pairedItem: { item: 0 },
      },
    ]);
    expect(execution.items(name)[0].json).not.toHaveProperty('error');
  },
);
