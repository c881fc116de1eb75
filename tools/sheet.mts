/**
 * The sheet of errors: provokes in n8n's real editor what can go wrong, takes a picture of what is said, and lays the pictures
 * out on sheets, each with what the gateway had taken by then. They are for reading: does each text say what happened,
 * whether anything was sent, and what to do?
 *
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { TMP } from './paths.mts';
import { openStudio } from './pictures/studio.mts';
import type { SheetCase, SheetCases } from './sheet/case.mts';
import { contactSheets } from './sheet/contact-sheet.mts';
import { CREDENTIAL_CASES } from './sheet/credential.mts';
import { GATEWAY_CASES } from './sheet/gateway.mts';
import { INPUT_CASES } from './sheet/input.mts';
import { PEOPLE_CASES } from './sheet/people.mts';
import type { Shot } from './sheet/take.mts';
import { Photographer } from './sheet/take.mts';

const CASES: SheetCases = {
  ...CREDENTIAL_CASES,
  ...GATEWAY_CASES,
  ...INPUT_CASES,
  ...PEOPLE_CASES,
};

/** Pages of the editor that work beside each other, and wait for the same n8n. */
const PAGES = Math.min(5, availableParallelism());

const USAGE = `Usage: npm run sheet -- [options]

  --only <words>   cases whose titles match this pattern
  --to <folder>    where the sheets go
  --no-build       show what was built and packed last
  --help
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    to: { type: 'string', default: join(TMP, 'sheet') },
    'no-build': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}

const written = ({ title, text, accepted, requests }: Shot): string =>
  `## ${title}\ngateway: ${requests} requests, ${accepted} accepted\n\n${text.replaceAll(/\n{2,}/g, '\n')}\n`;

await rm(values.to, { recursive: true, force: true });
const cases = join(values.to, 'cases');
await mkdir(cases, { recursive: true });
const studio = await openStudio({ empty: true, built: values['no-build'] });
const wanted = Object.entries(CASES).filter(([title]) => new RegExp(values.only, 'i').test(title));
const shots: Shot[] = [];
const stuck: string[] = [];

/** Takes one case after another until none is left; several do that beside each other, since some cases take a minute. */
async function work(photographer: Photographer, left: IterableIterator<[string, SheetCase]>): Promise<void> {
  for (const [title, one] of left) {
    try {
      const shot = await photographer.take(title, one);
      shots.push(shot);
      // The sheets come at the end, which an interrupted run doesn't reach.
      await writeFile(join(cases, `${title.replaceAll(/\W+/g, '-')}.png`), shot.picture);
      console.log(`  ${title}`);
    } catch (error) {
      stuck.push(`${title}: ${String(error).split('\n', 1)[0]}`);
      console.log(`  Not shown: ${stuck.at(-1)}`);
    }
  }
}

try {
  const left = wanted.values();
  const photographers = await Promise.all(
    Array.from({ length: PAGES }, async () => await Photographer.start(studio)),
  );
  await Promise.all(photographers.map(async (one) => await work(one, left)));
} finally {
  await studio.close();
}
const order = wanted.map(([title]) => title);
shots.sort((a, b) => order.indexOf(a.title) - order.indexOf(b.title));
const sheets = await contactSheets(shots);
for (const [nth, sheet] of sheets.entries()) await writeFile(join(values.to, `${nth + 1}.png`), sheet);
await writeFile(join(values.to, 'texts.md'), shots.map(written).join('\n'));
console.log(`${shots.length} cases on ${sheets.length} sheets in ${values.to}`);
if (stuck.length > 0) process.exitCode = 1;
