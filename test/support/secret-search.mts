/** Where a secret could have got to in a real n8n: its files, its database, its log, its REST interface, its editor. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { until } from '../../tools/until.mts';
import { hasBrowser, launch } from './chromium.mts';
import { ownersPage } from './editor.mts';
import type { RealN8n } from './real-n8n.mts';

interface Suspect {
  workflowId: string;
  executionId: string;
}

/** The columns of n8n's SQLite database, decoded, in which a text occurs. */
function columnsWith({ folder }: RealN8n, text: string): string[] {
  const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name }) => {
      const found = new Set<string>();
      for (const row of database.prepare(`SELECT * FROM "${String(name)}"`).iterate()) {
        for (const [column, value] of Object.entries(row)) {
          const words = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
          if (words.includes(text)) found.add(`${String(name)}.${column}`);
        }
      }
      return [...found];
    });
  } finally {
    database.close();
  }
}

/** The answers of n8n's REST interface about an execution: in the list, by itself, and of its workflow. */
async function restTexts({ client }: RealN8n, suspect: Suspect): Promise<string> {
  const { workflowId, executionId } = suspect;
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  const answers = await Promise.all(
    [`/executions?filter=${filter}&limit=100`, `/executions/${executionId}`, `/workflows/${workflowId}`].map(
      async (path) => await client.call<unknown>('GET', path),
    ),
  );
  return JSON.stringify(answers);
}

/** Where in n8n's database, log and REST interface, from which its editor has all that it shows, one of some texts can be read. */
export async function placesOf(n8n: RealN8n, texts: string[], suspect: Suspect): Promise<string[]> {
  const places = { rest: await restTexts(n8n, suspect), log: await readFile(n8n.logFile, 'utf8') };
  return texts.flatMap((text) => [
    ...columnsWith(n8n, text),
    ...Object.entries(places).flatMap(([place, words]) =>
      words.includes(text) ? [`${place}: ${text}`] : [],
    ),
  ]);
}

/** The files of n8n's folder, its database and its logs among them, in which a text occurs. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) =>
      entry.isFile() && !/\/(node_modules|\.cache)(\/|$)/.test(entry.parentPath.slice(folder.length)),
  );
  const found: string[] = [];
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    if ((await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}

/** Where in n8n's editor one of some texts is shown, kept or received while an execution is looked at, where there is a browser. */
export async function shownBy(
  n8n: RealN8n,
  { workflowId, executionId }: Suspect,
  texts: string[],
): Promise<string[]> {
  if (!hasBrowser) return [];
  const browser = await launch();
  try {
    const page = await ownersPage(browser, n8n);
    const received: Array<Promise<string>> = [];
    page.on('response', (response) => {
      if (response.url().includes('/rest/')) received.push(response.text().catch(() => ''));
    });
    const execution = page.waitForResponse((response) =>
      response.url().includes(`/rest/executions/${executionId}`),
    );
    await page.goto(`/workflow/${workflowId}/executions/${executionId}`);
    await (await execution).finished();
    // n8n shows an execution in a frame.
    const nodes = '[data-test-id="canvas-node"]';
    await until('the execution in the editor', async () => {
      const counts = await Promise.all(
        // A frame may be gone by then.
        page.frames().map(
          async (frame) =>
            await frame
              .locator(nodes)
              .count()
              .catch(() => 0),
        ),
      );
      return counts.some((count) => count > 0) || undefined;
    });
    const frames = await Promise.all(page.frames().map(async (frame) => await frame.content()));
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    const places = { page: frames.join(), kept, received: (await Promise.all(received)).join() };
    if (!places.received.includes('Pay invoice'))
      throw new Error('The editor has not received the execution');
    return Object.entries(places).flatMap(([place, words]) =>
      texts.filter((text) => words.includes(text)).map((text) => `editor, ${place}: ${text}`),
    );
  } finally {
    await browser.close();
  }
}
