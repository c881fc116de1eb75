import type { IDataObject } from 'n8n-workflow';

import type { WireOperation } from '../../gateway/contract/operations';
import { readMessageId } from '../fields/target';
import type { Flaw } from '../parameters/placeholder';
import type { Run } from './run';

const ENTER_NUMBER_OR_KEY =
  "Enter a whole number as 'Message ID', or put a text such as an order number into 'Send Once Key' in 'Avoid Doubles',";

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

  /** What is wrong with placeholders, in the parameters that were read so far. */
  get flaws(): readonly Flaw[] {
    return this.run.form.flaws(this.input);
  }

  get options(): Record<string, unknown> {
    return (this.knownOptions ??= this.run.form.options(this.input));
  }

  /**
   * Returns the id of the item's message (gateway-api.md, "Fields": the client's own identifier): that with which the
   * message left first, or the option Message ID, or an id that the node creates. With another id, a Retry could not ask whether
   * another Retry has sent the message. A message to another number than the one that left is another message. Takes what is
   * known of the operation, its number at least.
   * @throws InvalidParameter for a Message ID that isn't a whole number
   */
  idFor(operation: Pick<WireOperation, 'phone'>): number | string {
    const { journal } = this.run;
    const phone = operation.phone as number;
    journal.takePlaceOf(phone, operation);
    const sent = journal.find(this.index)?.sent;
    const first = sent?.phone === phone ? sent.id : undefined;
    return first ?? this.ownId ?? journal.madeId(this.index, phone);
  }

  /**
   * Whether the user chose the id, so that another execution may have used it.
   * @throws InvalidParameter for a Message ID that isn't a whole number
   */
  get hasOwnId(): boolean {
    return this.ownId !== undefined;
  }

  private get ownId(): number | undefined {
    const { messageId } = this.options;
    if (messageId === undefined) return undefined;
    const hasKey = this.run.form.label('sendOnceKey') !== undefined;
    return readMessageId(messageId, hasKey ? ENTER_NUMBER_OR_KEY : undefined);
  }
}
