/**
 * Does through the pages of n8n's editor what a new user does with the package, and counts clicks, fields and places of
 * hesitation, as a table. Nothing but the owner's account is made in another way.
 *
 * Usage: npm run walk -- [--only <words>] [--shots <folder>]   `shots` takes a picture of how each task ended
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { TMP } from './paths.mts';
import { openPage, openStudio } from './pictures/studio.mts';
import type { Studio } from './pictures/studio.mts';
import { AGENTS } from './walk/agents.mts';
import { HEARING_BACK } from './walk/hearing-back.mts';
import { SENDING } from './walk/sending.mts';
import { Newcomer } from './walk/newcomer.mts';

const TASKS = { ...SENDING, ...HEARING_BACK, ...AGENTS };

/** Does a task; returns a row of the table. */
async function walk(studio: Studio, task: string, picture: string): Promise<string> {
  studio.sandbox.reset();
  const page = await openPage(studio, 1440, 900);
  const walker = new Newcomer(page);
  const { effort } = walker;
  const start = Date.now();
  try {
    await page.goto('/workflow/new');
    await TASKS[task](walker, studio);
  } catch (error) {
    effort.hesitations.push(
      `STUCK: ${error instanceof Error ? error.message : String(error)}`.split('\n')[0],
    );
  }
  await page.screenshot({ path: picture });
  await page.context().close();
  const seconds = Math.round((Date.now() - start) / 1000);
  const hesitation = effort.hesitations.join('; ').replaceAll(/[|\n]/g, ' ');
  return `| ${task} | ${effort.clicks} | ${effort.fields} | ${seconds} | ${hesitation} |`;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    shots: { type: 'string', default: join(TMP, 'walk') },
  },
});
const studio = await openStudio({ empty: true });
try {
  console.log('| Task | Clicks | Fields | Seconds | Hesitation |\n|---|---|---|---|---|');
  for (const [nth, task] of Object.keys(TASKS).entries()) {
    // All others need the credential that the first task makes.
    if (nth > 0 && !new RegExp(values.only, 'i').test(task)) continue;
    console.log(await walk(studio, task, join(values.shots, `${nth}.png`)));
  }
} finally {
  await studio.close();
}
