/** Tables of the documentation. */

/** A table in Markdown, from rows of cells; the first row has the heads. */
export const table = ([heads, ...rows]: string[][]): string =>
  [row(heads), `|${'---|'.repeat(heads.length)}\n`, ...rows.map(row)].join('');

const row = (cells: string[]): string => `| ${cells.join(' | ')} |\n`;

/** Returns a page with these tables, by heading, each in place of the first one of its section. */
export function withTables(page: string, tables: Record<string, string[][]>): string {
  const byHeading = new Map(Object.entries(tables));
  const sections = page.split(/^(?=#)/m).map((section) => {
    const rows = byHeading.get(section.split('\n', 1)[0].replace(/^#+ /, ''));
    return rows === undefined ? section : section.replace(/(?:^\|.*\n)+/m, () => table(rows));
  });
  return sections.join('');
}

/** Text of a form or an error, which may have HTML, as a cell. */
export const inCell = (text: string): string =>
  text
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
