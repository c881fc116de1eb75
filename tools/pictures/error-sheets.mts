/** Contact sheets of the errors: each brought about in a real n8n and photographed in the panel of the node. */
import type { Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  rows,
  START,
  workflow,
} from '../../test/support/real-n8n.mts';
import type { ErrorCase } from './error-cases.mts';
import { SMS } from './error-cases.mts';
import { openPage, shoot } from './studio.mts';
import type { Studio } from './studio.mts';

/** An error that happened, and where n8n shows it. */
interface Happened extends ErrorCase {
  workflowId: string;
  executionId: string;
  status: string;
}

/** A photograph of an error. */
export interface Photograph {
  id: string;
  cause: string;
  /** PNG. */
  picture: Buffer;
}

const NODE = 'Messaging Gateway';
const NODE_ID = 'gateway';

/** Details that say nothing of the error. */
const SAME_EVERYWHERE = [
  'Node type',
  'Node version',
  'n8n version',
  'Time',
  'Stack trace',
  'Binary data mode',
];

/** Running out of patience with a gateway that asks to wait takes the node two minutes. */
const LONGEST_MS = 240_000;

/** Executions at the same time: more would have the gateways look slow. */
const PARALLEL = 6;

/** Brings all of them about, each with a gateway of its own. Returns them in the same order. */
export async function bringAbout(studio: Studio, cases: ErrorCase[]): Promise<Happened[]> {
  const happened: Happened[] = [];
  const open = [...cases.entries()];
  const work = async () => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const [place, one] = next;
      const sandbox = await startSandbox();
      if (one.fault) sandbox.faults.add({ ...one.fault, sparesStatus: false });
      happened[place] = await happen(studio, one, sandbox).finally(async () => await sandbox.close());
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return happened;
}

async function happen({ client }: Studio, one: ErrorCase, sandbox: Sandbox): Promise<Happened> {
  const data = { ...credentialData(sandbox), ...one.credential };
  const credential = await client.createCredential(one.id, CREDENTIAL_TYPE, data);
  const settings = { ...one.settings, id: NODE_ID };
  const node = action(NODE, credential, { ...(one.parameters ?? SMS), options: one.options ?? {} }, settings);
  const whole = workflow([...(one.rows ? [rows('Rows', one.rows)] : []), node]);
  const created = await client.createWorkflow({ ...whole, name: one.id });
  const executionId = await client.runManually(created.id, START);
  const { status } = await client.waitForExecution(executionId, LONGEST_MS);
  return { ...one, workflowId: created.id, executionId, status };
}

/** Photographs the error of each execution, in the panel of its node, with the details unfolded. */
export async function photograph(studio: Studio, happened: Happened[]): Promise<Photograph[]> {
  const page = await openPage(studio, 1440, 1400);
  const photographs: Photograph[] = [];
  for (const one of happened) {
    try {
      photographs.push({ id: one.id, cause: one.cause, picture: await photographOne(page, studio, one) });
    } catch (error) {
      // The others are worth a look all the same.
      console.error(`"${one.id}" ended with ${one.status}, and n8n shows no error: ${String(error)}`);
      process.exitCode = 1;
    }
  }
  await page.context().close();
  return photographs;
}

async function photographOne(page: Page, { n8n }: Studio, one: Happened): Promise<Buffer> {
  await page.goto(`${n8n.url}/workflow/${one.workflowId}/executions/${one.executionId}/${NODE_ID}`);
  const error = page.locator('[data-test-id="output-panel"] .node-error-view');
  await error.waitFor();
  await error.locator('details').evaluateAll((all, hidden) => {
    for (const details of all) {
      details.setAttribute('open', '');
      for (const row of details.querySelectorAll('.node-error-view__details-row')) {
        const label = row.querySelector('.node-error-view__details-label')?.textContent?.trim() ?? '';
        if (hidden.includes(label)) row.remove();
      }
    }
  }, SAME_EVERYWHERE);
  // The view fills the panel, whatever it says.
  const box = await error.boundingBox();
  const last = await error.locator('details').last().boundingBox();
  if (!box || !last) throw new Error(`The error of "${one.id}" is not to be seen`);
  return await page.screenshot({ clip: { ...box, height: last.y + last.height + 12 - box.y } });
}

/** Writes a sheet of photographs, three beside each other, each with its name and cause above it. */
export async function writeSheet(
  { browser }: Studio,
  name: string,
  photographs: Photograph[],
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const page = await context.newPage();
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const figures = photographs.map(
    ({ id, cause, picture }) =>
      `<figure><figcaption><b>${escaped(id)}</b><br>${escaped(cause)}</figcaption><img src="data:image/png;base64,${picture.toString('base64')}"></figure>`,
  );
  await page.setContent(`<!doctype html><style>
    body { margin: 0; padding: 16px; columns: 3; column-gap: 16px; font: 13px/1.4 sans-serif; background: #fff; }
    figure { margin: 0 0 16px; border: 1px solid #ccc; break-inside: avoid; }
    figcaption { padding: 6px 10px; background: #eef; } b { font-family: monospace; font-size: 14px; }
    img { display: block; max-width: 100%; }
  </style>${figures.join('')}`);
  await shoot(page, name, page.locator('html'));
  await context.close();
}
