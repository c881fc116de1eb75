import type { FailedItem } from './item-result';
import { Run } from './run';

/**
 * A view of a run in which one input item sends several messages: each entry of `items` stands for one of them, with an
 * id and an entry in the journal of its own, and reads the parameters of that item.
 */
export class SpreadRun extends Run {
  private readonly input: number;

  /** Takes the run, the index of the item, and how many messages it sends. */
  constructor({ context, definition, items }: Run, input: number, count: number) {
    super(
      context,
      definition,
      Array.from({ length: count }, () => items[input]),
    );
    this.input = input;
  }

  override inputOf(): number {
    return this.input;
  }

  /** The messages of an item fail together, and no other item sends any. */
  override invalid(thrown: unknown): FailedItem {
    return this.failed(thrown, true);
  }
}
