import type { IExecuteFunctions } from 'n8n-workflow';

import type { OtpKeys } from '../../gateway/otp/keys';
import { deriveOtpKeys } from '../../gateway/otp/keys';
import type { Limit, NameRecord } from '../../gateway/otp/places';
import { Places } from '../../gateway/otp/places';
import { requireKeys } from '../../n8n/connection';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';

/** The places that codes have taken: of all nodes and executions of this process. */
export const places = new Places();

/** n8n's store for processed data, shared by the nodes of a workflow; the oldest of the names go first. */
const STORE = ['workflow', { mode: 'entries', maxEntries: 10_000 }] as const;

/** n8n asserts that the workflow has been saved; one that hasn't has no store. */
const hasNoStore = (error: unknown): boolean => (error as { code?: unknown }).code === 'ERR_ASSERTION';

let lastCall: Promise<unknown> = Promise.resolve();

/** Calls the store once the call before has ended: the store reads, changes and writes without a lock. */
async function inTurn<T>(call: () => Promise<T>): Promise<T> {
  const turn = lastCall.then(call, call);
  lastCall = turn;
  return await turn;
}

const recordOf = ({ helpers, logger }: IExecuteFunctions): NameRecord => ({
  add: async (name) =>
    await inTurn(async () => {
      const add = async () => (await helpers.checkProcessedAndRecord([name], ...STORE)).new.length > 0;
      try {
        return await add();
      } catch (error) {
        // Another worker may have made the first entry at the same moment.
        return hasNoStore(error) || (await add());
      }
    }),
  remove: async (names) =>
    await inTurn(async () => {
      try {
        await helpers.removeProcessed([...names], ...STORE);
      } catch (error) {
        if (hasNoStore(error)) return true;
        const reason = (error as Error).message;
        logger.warn(`A one-time password that does not count stays counted for the hour: ${reason}`);
        return false;
      }
      return true;
    }),
});

const doneBy = ({ definition }: Run): string => (definition.effect === 'sends' ? 'sent' : 'verified');

/**
 * Returns the account's keys.
 * @throws NodeOperationError without a usable API key
 */
export async function accountKeys(run: Run): Promise<OtpKeys> {
  const connection = await run.connection();
  return requireKeys(run.node, connection, deriveOtpKeys, `Nothing was ${doneBy(run)}`);
}

/**
 * Takes a place of each limit, and returns their names; or the first limit without a free one, or the failure of the item where
 * n8n's database can't be written to, and takes none.
 */
export async function takePlaces<Reason extends string>(
  run: Run,
  limits: ReadonlyArray<Limit<Reason>>,
): Promise<string[] | Limit<Reason> | FailedItem> {
  try {
    return await places.take(limits, run.now(), recordOf(run.context));
  } catch (thrown) {
    const description = `Nothing was ${doneBy(run)} for this item. n8n's database answered: ${(thrown as Error).message}. Run the node again.`;
    return {
      error: { kind: 'input', message: 'n8n could not record this in its database', description },
    };
  }
}

/** Gives places back, also names that are held in this process alone. */
export const giveBack = async (run: Run, taken: readonly string[]): Promise<void> =>
  await places.giveBack(taken, recordOf(run.context));
