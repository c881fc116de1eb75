import { misnamedColumn } from '../parameters/gaps';

/** The most parts of an SMS that are billed without a word. */
export const USUAL_PARTS = 3;

/** Counts, while the texts of a run are read, empty placeholders and SMS of many parts. */
export class TextTally {
  private readonly empty = new Map<string, { items: number[]; why: string }>();
  private readonly long: Array<{ item: number; parts: number }> = [];

  /** Takes an item by its index, its empty placeholders, and what it has, which may tell why these are empty. */
  countEmpty(item: number, sources: ReadonlySet<string>, json: unknown): void {
    for (const source of sources) {
      const known = this.empty.get(source);
      if (known) {
        known.items.push(item);
        continue;
      }
      const column = misnamedColumn(source, json);
      this.empty.set(source, { items: [item], why: column === undefined ? '' : `: ${column}` });
    }
  }

  /** Takes the number of SMS that an item is billed as. */
  countParts(item: number, parts: number): void {
    if (parts > USUAL_PARTS) this.long.push({ item, parts });
  }

  /**
   * Returns a sentence for each thing that the sender of so many texts may not have meant; `leaves` says whether the text of
   * an item leaves in this run, since of those that left before nothing can be changed.
   */
  warnings(total: number, leaves: (item: number) => boolean): string[] {
    const empty = [...this.empty].flatMap(([source, { items, why }]) => {
      const [first, ...others] = items.filter(leaves);
      if (first === undefined) return [];
      if (total === 1) return `The text has an empty ${source}${why}`;
      const some = others.length + 1;
      return `${some} of ${total} texts ${some === 1 ? 'has' : 'have'} an empty ${source} (first: row ${first + 1})${why}`;
    });
    const long = this.long.filter(({ item }) => leaves(item));
    if (long.length === 0) return empty;
    const most = long.reduce((longest, { parts }) => Math.max(longest, parts), 0);
    const many =
      total === 1
        ? `The text is billed as ${most} SMS parts`
        : `${long.length} of ${total} texts ${long.length === 1 ? 'is' : 'are'} billed as more than ${USUAL_PARTS} SMS parts, up to ${most}`;
    return [...empty, many];
  }
}
