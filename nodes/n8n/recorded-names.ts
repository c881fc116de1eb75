import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n's store for processed data, which all nodes of a workflow share. Beyond 10,000 names, n8n drops the oldest. */
const STORE = ['workflow', { mode: 'entries', maxEntries: 10_000 }] as const;

/** Whether n8n's error says that the workflow was never saved, and so has no store: this process alone remembers then. */
const hasNoStore = (error: unknown): boolean => (error as { code?: unknown }).code === 'ERR_ASSERTION';

let lastCall: Promise<unknown> = Promise.resolve();

/** Calls the store once the call before has ended: n8n reads, changes and writes the store without a lock. */
async function inTurn<T>(call: () => Promise<T>): Promise<T> {
  const turn = lastCall.then(call, call);
  lastCall = turn;
  return await turn;
}

/**
 * Records a name, for other processes and for this one after a restart; returns whether the name is new.
 * @throws the error of n8n's database
 */
export async function recordNew({ helpers }: IExecuteFunctions, name: string): Promise<boolean> {
  const record = async () => (await helpers.checkProcessedAndRecord([name], ...STORE)).new.length > 0;
  return await inTurn(async () => {
    try {
      return await record();
    } catch (error) {
      // The second attempt succeeds where another worker made the first entry of the store at the same moment.
      return hasNoStore(error) || (await record());
    }
  });
}

/** Removes names; returns the error of n8n's database where they could not be removed. */
export async function removeNames(
  { helpers }: IExecuteFunctions,
  names: readonly string[],
): Promise<Error | undefined> {
  return await inTurn(async () => {
    try {
      await helpers.removeProcessed([...names], ...STORE);
      return undefined;
    } catch (error) {
      return hasNoStore(error) ? undefined : (error as Error);
    }
  });
}
