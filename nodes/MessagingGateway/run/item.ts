import type { IDataObject } from 'n8n-workflow';

import { readMessageId } from '../fields/target';
import type { Gap } from '../parameters/gaps';
import type { Run } from './run';

/** An input item of a run, as an operation reads it for a message. */
export class Item {
  readonly run: Run;

  /** The index of its message: that of the input item, except where an item sends several messages. */
  readonly index: number;

  /** The index of the input item. */
  readonly input: number;
  private knownOptions: Record<string, unknown> | undefined;

  constructor(run: Run, index: number, input = index) {
    this.run = run;
    this.index = index;
    this.input = input;
  }

  get json(): IDataObject {
    return this.run.items[this.input].json;
  }

  /** Reads a parameter; returns `fallback` where it is not set. */
  readonly read = (name: string, fallback?: unknown): unknown =>
    this.run.form.read(name, this.input, fallback);

  /** The parameters with placeholders that come to nothing. */
  get gaps(): readonly Gap[] {
    return this.run.form.gaps(this.json);
  }

  get options(): Record<string, unknown> {
    return (this.knownOptions ??= this.run.form.options(this.input));
  }

  /**
   * The id of the item's message (gateway-api.md, "Fields": the client's own identifier): that with which it left first, or the
   * option Message ID, or an id that the node creates. With another id, a Retry could not ask whether another Retry has sent it.
   * @throws InvalidParameter for a Message ID that isn't a whole number
   */
  get id(): number | string {
    const { journal } = this.run;
    return journal.find(this.index)?.sent?.id ?? this.ownId ?? journal.madeId(this.index);
  }

  /**
   * Whether the user chose the id, so that another execution may have used it.
   * @throws InvalidParameter for a Message ID that isn't a whole number
   */
  get hasOwnId(): boolean {
    return this.ownId !== undefined;
  }

  private get ownId(): number | undefined {
    return readMessageId(this.options.messageId);
  }
}
