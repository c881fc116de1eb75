import { createHash } from 'crypto';

import { showHint } from '../../n8n/engine';
import type { ItemResult } from '../run/item-result';
import { repeatedResult } from '../run/item-result';
import type { Run } from '../run/run';

/** What a call came to, and whether it was made with a confirmation, so that the tool may have sent something. */
export interface CallOutcome {
  result: ItemResult;
  isConfirmed: boolean;
}

/**
 * Rows of a run that make the same call of a tool that sends are one call: the first of them is made, and the others have
 * its result. What the contract says of sending through the connector (gateway-api.md, "Confirmed sends") tells which calls
 * these are: those that were made with a confirmation.
 */
export class RepeatedCalls {
  private readonly run: Run;

  /** The confirmed calls that were made, by the hash of what was called. */
  private readonly made = new Map<string, { item: number; result: ItemResult }>();
  private rows = 0;
  private readonly repeated = new Set<string>();

  constructor(run: Run) {
    this.run = run;
  }

  /** Returns the result of the call of an item: that of the same call before it, or what `make` makes of it. */
  async once(
    item: number,
    { tool, args }: { tool: string; args: object },
    make: () => Promise<CallOutcome>,
  ): Promise<ItemResult> {
    const key = createHash('sha256')
      .update(JSON.stringify([tool, args]))
      .digest('base64');
    const first = this.made.get(key);
    if (first !== undefined) {
      this.rows += this.repeated.has(key) ? 1 : 2;
      this.repeated.add(key);
      return repeatedResult(first.result, { item: first.item, by: 'content' });
    }
    const { result, isConfirmed } = await make();
    if (isConfirmed) this.made.set(key, { item, result });
    return result;
  }

  /** Says in the editor which rows were one call. */
  showHint(): void {
    const { size } = this.repeated;
    if (size === 0) return;
    const what =
      size === 1
        ? `${this.rows} rows are the same call of a tool that sends: it is made once`
        : `${this.rows} rows come to ${size} calls of tools that send, since others are the same: each is made once`;
    const message = `${what}. If each row should call, put a Loop Over Items node around this one`;
    showHint(this.run.context, { message, type: 'info', location: 'outputPane' });
  }
}
