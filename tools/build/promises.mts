/** docs/promises.md: what the pages promise, and the tests that would break. */
import { PROMISES } from '../../test/promises.mts';

/** A cell of a table: links of the page lead elsewhere from here, and a line would end the row. */
const inCell = (text: string): string =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*/g, '')
    .replaceAll('|', '\\|');

/** Returns the page, with a table for each page that promises something. */
export function promisesPage(): string {
  const sections = PROMISES.map(({ page, promises }) => {
    const rows = promises.map(
      ({ says, tests }) =>
        `| ${inCell(says)} | ${tests.map((test) => test.replaceAll('|', '\\|')).join('<br>')} |`,
    );
    const link = page.startsWith('docs/') ? page.slice('docs/'.length) : `../${page}`;
    return [`## [${page}](${link})`, '', '| Promise | Test |', '|---|---|', ...rows].join('\n');
  });
  return [
    '# What is promised, and which test would break',
    '',
    '`npm run build` writes this page from `test/promises.mts`. `npm test -- unit` fails where the words of a promise no longer stand',
    'on their page, where a test of this table does not exist, and where the README promises something that is not here.',
    '',
    ...sections.flatMap((section) => [section, '']),
  ].join('\n');
}
