import { misnamedColumn } from '../fields/misnamed-column';
import type { EmptyPlaceholders } from '../fields/placeholders';

/** The most parts of an SMS that are billed without a word. */
const USUAL_PARTS = 3;

/** What the texts of a run may lack or cost, counted while they are read. */
export class TextTally {
  /** Of the item that is being read. */
  readonly placeholders: EmptyPlaceholders = { refuse: false, found: new Set() };
  private readonly empty = new Map<string, { count: number; first: number; why: string }>();
  private long = { count: 0, most: 0 };

  /** Takes an item by its index, and what it has, which may tell why a placeholder is empty. */
  countEmpty(item: number, json: unknown): void {
    for (const source of this.placeholders.found) {
      const known = this.empty.get(source);
      if (known) {
        known.count += 1;
        continue;
      }
      const column = misnamedColumn(source, json);
      this.empty.set(source, { count: 1, first: item, why: column === undefined ? '' : `: ${column}` });
    }
  }

  /** Takes the number of SMS that an item is billed as. */
  countParts(parts: number): void {
    if (parts <= USUAL_PARTS) return;
    this.long = { count: this.long.count + 1, most: Math.max(this.long.most, parts) };
  }

  /** Returns a sentence for each thing that the sender of so many texts may not have meant. */
  warnings(total: number): string[] {
    const { count, most } = this.long;
    const empty = [...this.empty].map(([source, { count: some, first, why }]) =>
      total === 1
        ? `The text has an empty ${source}${why}`
        : `${some} of ${total} texts ${some === 1 ? 'has' : 'have'} an empty ${source} (first: item ${first})${why}`,
    );
    if (count === 0) return empty;
    const many =
      total === 1
        ? `The text is billed as ${most} SMS parts`
        : `${count} of ${total} texts ${count === 1 ? 'is' : 'are'} billed as more than ${USUAL_PARTS} SMS parts, up to ${most}`;
    return [...empty, many];
  }
}
