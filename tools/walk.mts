/**
 * Does through the pages of n8n's editor what a new user does with the package, and counts clicks, fields and places of
 * hesitation, as a table. Nothing but the owner's account is made in another way.
 *
 * Usage: npm run walk -- [--only <words>] [--shots <folder>]   `shots` takes a picture of how each task ended
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openPage, openStudio } from './pictures/studio.mts';
import type { Studio } from './pictures/studio.mts';
import { build, pack } from './package.mts';
import { TMP } from './paths.mts';
import { LATER_TASKS } from './walk/later-tasks.mts';
import type { Task } from './walk/tasks.mts';
import { TASKS } from './walk/tasks.mts';
import type { Effort } from './walk/walker.mts';
import { Walker } from './walk/walker.mts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    shots: { type: 'string', default: join(TMP, 'walk') },
  },
});

interface Walked {
  task: string;
  effort: Effort;
  seconds: number;
  failure?: string;
}

async function walk(studio: Studio, task: Task, nth: number): Promise<Walked> {
  studio.sandbox.reset();
  const page = await openPage(studio, 1440, 900);
  const walker = new Walker(page);
  const start = Date.now();
  let failure: string | undefined;
  try {
    await page.goto(`${studio.n8n.url}/workflow/new`);
    await task.run(walker, studio);
  } catch (error) {
    failure = String(error instanceof Error ? error.message : error).split('\n')[0];
  }
  await page.screenshot({ path: join(values.shots, `${nth}${failure ? '-stuck' : ''}.png`) });
  await page.context().close();
  const seconds = Math.round((Date.now() - start) / 1000);
  return { task: task.name, effort: walker.effort, seconds, ...(failure && { failure }) };
}

const line = ({ task, effort, seconds, failure }: Walked): string =>
  [
    '',
    task,
    effort.clicks,
    effort.fields,
    seconds,
    [...effort.hesitations, ...(failure ? [`STUCK: ${failure}`] : [])]
      .join('; ')
      .replaceAll('|', '/')
      .replaceAll('\n', ' '),
    '',
  ]
    .join(' | ')
    .trim();

async function main(): Promise<void> {
  await build();
  const studio = await openStudio({ tarball: await pack(), empty: true });
  try {
    console.log('| Task | Clicks | Fields | Seconds | Hesitation |\n|---|---|---|---|---|');
    for (const [nth, task] of [...TASKS, ...LATER_TASKS].entries()) {
      // All others need the credential that the first task makes.
      if (nth > 0 && !new RegExp(values.only, 'i').test(task.name)) continue;
      console.log(line(await walk(studio, task, nth)));
    }
  } finally {
    await studio.close();
  }
}

await main();
