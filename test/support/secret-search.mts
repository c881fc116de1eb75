/** Where a secret could have got to in a real n8n: its database, its files, its REST interface, its editor. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { Browser } from 'playwright-core';

import { Editor } from './editor.mts';
import type { RealN8n } from './real-n8n.mts';

/** An execution, and the nodes whose panels are opened in the editor. */
export interface Suspect {
  workflowId: string;
  executionId: string;
  nodes: string[];
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

/** What n8n's REST interface answers about an execution: in the list, and by itself. */
async function restTexts({ client }: RealN8n, suspect: Suspect): Promise<string> {
  const { workflowId, executionId } = suspect;
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  const answers = await Promise.all(
    [`/executions?filter=${filter}&limit=100`, `/executions/${executionId}`].map(
      async (path) => await client.call<unknown>('GET', path),
    ),
  );
  return JSON.stringify(answers);
}

/**
 * All that the editor holds of an execution: markup, contents of fields and of the browser's storage, with the panel of
 * each node open.
 */
async function editorTexts(browser: Browser, n8n: RealN8n, suspect: Suspect): Promise<string> {
  const { workflowId, executionId, nodes } = suspect;
  const { page } = await Editor.open(browser, n8n);
  // On a busy machine the editor takes its time to load.
  page.setDefaultTimeout(60_000);
  const texts: string[] = [];
  await page.goto(`${n8n.url}/workflow/${workflowId}/executions/${executionId}`);
  for (const name of nodes) {
    await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
    const output = page.locator('[data-test-id="output-panel"]');
    await output
      .locator('table')
      .or(output.getByText(/\d items?/))
      .first()
      .waitFor();
    texts.push(
      await page.content(),
      await page.evaluate(
        '[...document.querySelectorAll("input, textarea")].map((one) => one.value).join("\\n")',
      ),
      await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'),
    );
    await page.keyboard.press('Escape');
    await output.waitFor({ state: 'hidden' });
  }
  await page.context().close();
  return texts.join('\n');
}

/**
 * Where in n8n's database, log, REST interface and, with a browser, editor one of some texts can be read. `shown` is a text that the
 * editor has to show, so that the search is known to have looked at the right execution.
 * @throws Error where the editor doesn't show it
 */
export async function placesOf(
  { browser, n8n, shown }: { browser: Browser | undefined; n8n: RealN8n; shown: string },
  texts: string[],
  suspect: Suspect,
): Promise<string[]> {
  const rest = await restTexts(n8n, suspect);
  const editor = browser ? await editorTexts(browser, n8n, suspect) : '';
  if (browser && !editor.includes(shown)) throw new Error(`The editor doesn't show "${shown}"`);
  const log = await readFile(n8n.logFile, 'utf8');
  const places = Object.entries({ rest, editor, log });
  return texts.flatMap((text) => [
    ...columnsWith(n8n, text),
    ...places.flatMap(([place, words]) => (words.includes(text) ? [`${place}: ${text}`] : [])),
  ]);
}
