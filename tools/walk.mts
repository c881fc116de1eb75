/**
 * Does through the pages of n8n's editor what a new user does with the package, and counts clicks, fields and places of
 * hesitation, as a table. Nothing but the owner's account is made in another way.
 *
 * Usage: npm run walk -- [--tarball <package>] [--only <words>] [--shots <folder>]
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
    tarball: { type: 'string' },
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

/** The operations that the package in n8n has, as `resource.operation`. */
async function operationsOf({ n8n, client }: Studio): Promise<Set<string>> {
  const { name, value } = client.session;
  const response = await fetch(`${n8n.url}/types/nodes.json`, { headers: { cookie: `${name}=${value}` } });
  const types = (await response.json()) as Array<{ name: string; properties: Property[] }>;
  const node = types.find((type) => type.name === 'n8n-nodes-messaging-gateway.messagingGateway');
  return new Set(
    (node?.properties ?? [])
      .filter((property) => property.name === 'operation')
      .flatMap(({ options = [], displayOptions }) =>
        options.map((option) => `${displayOptions?.show?.resource?.[0]}.${option.value}`),
      ),
  );
}

interface Property {
  name: string;
  options?: Array<{ value: string }>;
  displayOptions?: { show?: { resource?: string[] } };
}

async function walk(studio: Studio, task: Task, nth: number): Promise<Walked> {
  studio.sandbox.reset();
  const page = await openPage(studio, 1440, 900);
  const walker = new Walker(page, join(values.shots, `${nth}`));
  const start = Date.now();
  let failure: string | undefined;
  try {
    await page.goto(`${studio.n8n.url}/workflow/new`);
    await task.run(walker, studio);
    await walker.shoot('end');
  } catch (error) {
    failure = String(error instanceof Error ? error.message : error).split('\n')[0];
    await walker.shoot('failed');
  }
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
    effort.keystrokes,
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
  if (!values.tarball) await build();
  const studio = await openStudio({ tarball: values.tarball ?? (await pack()), empty: true });
  try {
    const operations = await operationsOf(studio);
    console.log('| Task | Clicks | Fields | Keystrokes | Seconds | Hesitation |\n|---|---|---|---|---|---|');
    for (const [nth, task] of [...TASKS, ...LATER_TASKS].entries()) {
      // All others need the credential that the first task makes.
      if (nth > 0 && !new RegExp(values.only, 'i').test(task.name)) continue;
      if (task.needs && !operations.has(task.needs))
        console.log(`| ${task.name} | | | | | not in this package |`);
      else console.log(line(await walk(studio, task, nth)));
    }
  } finally {
    await studio.close();
  }
}

await main();
