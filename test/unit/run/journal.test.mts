import { Journal } from '../../../nodes/MessagingGateway/run/journal.ts';

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
