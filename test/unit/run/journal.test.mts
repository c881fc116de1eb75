import type { IDataObject } from 'n8n-workflow';

import { READY } from '../../../nodes/gateway/client/row.ts';
import { execute } from '../../../nodes/MessagingGateway/router.ts';
import { Journal } from '../../../nodes/MessagingGateway/run/journal.ts';
import { smsForm } from '../../support/sends.mts';

/** The memory of a node in the run data of an execution, which outlasts a run of the node. */
const execution = () => {
  const memory: Record<string, unknown> = {};
  return { memory, open: (runIndex = 0) => journalIn(memory, runIndex) };
};

const journalIn = (memory: Record<string, unknown>, $runIndex: number) =>
  new Journal(
    {
      getNode: () => ({ name: 'Send', type: 'messagingGateway' }),
      getContext: (kind: string) => (kind === 'node' ? memory : {}),
      getWorkflowDataProxy: () => ({ $runIndex }),
      getExecutionId: () => '7',
      getMode: () => 'trigger',
    } as never,
    'message sends',
  );

const entry = { jsons: [{ id: 1 }] };

describe('the journal of a run', () => {
  it('knows in a repeated run what the first one recorded', () => {
    const { open } = execution();
    open().record(3, entry);
    expect(open().find(3)).toEqual(entry);
    expect(open().find(4)).toBeUndefined();
  });

  it('keeps the runs of a node in a loop apart', () => {
    const { open } = execution();
    open(0).record(0, entry);
    expect(open(1).find(0)).toBeUndefined();
    open(1).record(0, { jsons: [] });
    expect(open(0).find(0)).toEqual(entry);
  });

  it('is empty until an item is recorded, and again once the results have left', () => {
    const { open } = execution();
    const journal = open();
    expect(journal.isEmpty).toBe(true);
    journal.record(0, entry);
    expect([journal.isEmpty, open().isEmpty, open(1).isEmpty]).toEqual([false, false, true]);
    journal.close();
    expect(open().isEmpty).toBe(true);
  });

  it('forgets one item and keeps the others', () => {
    const { open } = execution();
    const journal = open();
    journal.record(0, entry);
    journal.record(1, entry);
    journal.forget(0);
    expect([journal.find(0), journal.find(1)]).toEqual([undefined, entry]);
    expect(() => open(7).forget(0)).not.toThrow();
    journal.forget(1);
    expect(journal.isEmpty).toBe(true);
  });

  it('replaces an entry, and leaves nothing behind when it is closed', () => {
    const { open, memory } = execution();
    const journal = open();
    journal.record(0, entry);
    journal.record(0, { sent: { type: 'sms' } });
    expect(journal.find(0)).toEqual({ sent: { type: 'sms' } });
    journal.close();
    expect(open().find(0)).toBeUndefined();
    expect(JSON.stringify(memory)).not.toContain('sms');
  });

  it('survives a copy as JSON, as n8n saves it', () => {
    const { open, memory } = execution();
    open().record(2, entry);
    const restored = JSON.parse(JSON.stringify(memory)) as Record<string, unknown>;
    expect(journalIn(restored, 0).find(2)).toEqual(entry);
  });
});

it('keeps of a row at its end that it may have left, in this execution or in another Retry, and forgets any other', () => {
  const { open } = execution();
  const journal = open();
  const operation = { type: 'sms', id: 5, phone: 380501234567 } as const;
  const row = { index: 0, operation, endpoint: 'sync', state: READY } as const;
  const unknown = { is: 'unknown', problem: { kind: 'notTold' } } as const;
  const departures = { count: 1, execution: '7', lastAtMs: 0 };
  for (const more of [{ mayHaveBeenSent: true }, { departures }]) {
    journal.noteEnd({ ...row, ...more }, unknown);
    expect(open().find(0)).toMatchObject({ sent: operation, state: unknown });
  }
  journal.noteEnd(row, { ...unknown, is: 'notSent' });
  expect(open().isEmpty).toBe(true);
});

it('has each row as one that may have left while its request is made, whatever ends the node then', async () => {
  const memory: Record<string, unknown> = {};
  const form = smsForm({ phone: '380501234567' });
  const during: unknown[] = [];
  const exchange = async (_: string, { body: { data } }: { body: { data: IDataObject[] } }) => {
    const { id, type, phone } = data[0];
    during.push([{ id, type, phone }, structuredClone(memory.messagingGatewayJournal)]);
    const answer = { success: true, data: [{ success: true, data: { id, msg_id: 1 } }] };
    const headers = { 'content-type': 'application/json' };
    return await Promise.resolve({ statusCode: 200, headers, body: [Buffer.from(JSON.stringify(answer))] });
  };
  const context = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'Send', type: 'messagingGateway', parameters: form }),
    getMode: () => 'trigger',
    getExecutionId: () => '7',
    getContext: () => memory,
    getWorkflowDataProxy: () => ({ $runIndex: 0 }),
    getNodeParameter: (path: string, _: number, fallback?: unknown) => form[path] ?? fallback,
    continueOnFail: () => true,
    getExecutionCancelSignal: () => undefined,
    getCredentials: async () => await Promise.resolve({ apiKey: 'key', baseUrl: 'https://one.example' }),
    isToolExecution: () => false,
    addExecutionHints: () => undefined,
    helpers: { httpRequestWithAuthentication: exchange },
  };
  const [{ json }] = await execute(context as never);
  expect(json.result).toBe('sent');
  const [[sent, journal]] = during as Array<[object, object]>;
  expect(journal).toMatchObject({ 0: { 0: { sent, state: { is: 'unknown' }, departures: { count: 1 } } } });
  expect(memory.messagingGatewayJournal).toEqual({});
});
