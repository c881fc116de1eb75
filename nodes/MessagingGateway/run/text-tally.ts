/** The most parts of an SMS that are billed without a word. */
export const USUAL_PARTS = 3;

/** Counts, while the texts of a run are read, empty placeholders and SMS of many parts. */
export class TextTally {
  private readonly empty = new Map<string, { items: number[]; why: string }>();
  private readonly long: Array<{ item: number; parts: number }> = [];

  /** Takes an item by its index, its empty placeholders, and what tells of one which column was meant. */
  countEmpty(
    item: number,
    sources: ReadonlySet<string>,
    meantBy: (source: string) => string | undefined,
  ): void {
    for (const source of sources) {
      const known = this.empty.get(source);
      if (known) {
        known.items.push(item);
        continue;
      }
      const column = meantBy(source);
      this.empty.set(source, { items: [item], why: column === undefined ? '' : `: ${column}` });
    }
  }

  /** Takes the number of SMS that an item is billed as. */
  countParts(item: number, parts: number): void {
    if (parts > USUAL_PARTS) this.long.push({ item, parts });
  }

  /**
   * Returns a sentence for each thing that the sender of so many texts may not have meant; `fateOf` says of an item whether its
   * text was sent in this run, or could have been; undefined for one that left before, of which nothing can be changed.
   */
  warnings(total: number, fateOf: (item: number) => 'sent' | 'unsent' | undefined): string[] {
    const leaves = (item: number): boolean => fateOf(item) !== undefined;
    const empty = [...this.empty].flatMap(([source, { items, why }]) => {
      const some = items.filter(leaves);
      if (some.length === 0) return [];
      const { length: sent } = some.filter((item) => fateOf(item) === 'sent');
      const went = sent === 0 ? '' : sentWithGap(sent, some.length);
      if (total === 1) return `The text has an empty ${source}${went}${why}`;
      const has = some.length === 1 ? 'has' : 'have';
      return `${some.length} of ${total} texts ${has} an empty ${source}${went} (first: row ${some[0] + 1})${why}`;
    });
    const long = this.long.filter(({ item }) => leaves(item));
    if (long.length === 0) return empty;
    const maxParts = long.reduce((max, { parts }) => Math.max(max, parts), 0);
    const many =
      total === 1
        ? `The text is billed as ${maxParts} SMS parts`
        : `${long.length} of ${total} texts ${long.length === 1 ? 'is' : 'are'} billed as more than ${USUAL_PARTS} SMS parts, up to ${maxParts}`;
    return [...empty, many];
  }
}

/** Says how many of so many texts with a gap were sent. */
function sentWithGap(sent: number, total: number): string {
  const were = sent === 1 ? 'was' : 'were';
  return sent === total ? ` and ${were} sent with the gap` : `, of which ${sent} ${were} sent with the gap`;
}
