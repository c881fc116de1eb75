/** A picture of the canvas of each example. */
import type { Page } from 'playwright-core';

import { openPage, shoot } from './studio.mts';
import type { Studio } from './studio.mts';

/** What the editor lays over the canvas. */
const HIDE = `
  [data-test-id="canvas-controls"], [data-test-id="canvas-plus-button"], [data-test-id="logs-panel"],
  [data-test-id="execute-workflow-button"], [data-test-id="canvas-handle-plus-wrapper"], [data-test-id="canvas-handle-plus"], [data-test-id="node-creator-plus-button"], .vue-flow__minimap,
  [class*="executionButtons"], [class*="nodeButtonsWrapper"], [class*="NodeCreation"] { visibility: hidden !important; }
`;

const MARGIN = 24;

export async function takeCanvasPictures(studio: Studio): Promise<void> {
  // So high that each graph is fitted to the width.
  const page = await openPage(studio, 1440, 2000);
  for (const [file, { id }] of Object.entries(studio.examples)) await takeCanvas(page, file, id);
  await page.context().close();
}

async function takeCanvas(page: Page, file: string, id: string): Promise<void> {
  await page.goto(`/workflow/${id}`);
  await page.locator('.vue-flow__node').first().waitFor();
  await page.addStyleTag({ content: HIDE });
  await page.locator('[data-test-id="canvas-wrapper"]').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('1');
  await page.waitForTimeout(500);
  const boxes = await page.locator('.vue-flow__node').evaluateAll((nodes) =>
    nodes.flatMap((node) =>
      [node, ...node.querySelectorAll('[class*="description"], [class*="label"]')].map((part) => {
        const { left, top, right, bottom } = part.getBoundingClientRect();
        return { left, top, right, bottom };
      }),
    ),
  );
  const left = Math.min(...boxes.map((box) => box.left)) - MARGIN;
  const top = Math.min(...boxes.map((box) => box.top)) - MARGIN;
  const right = Math.max(...boxes.map((box) => box.right)) + MARGIN;
  const bottom = Math.max(...boxes.map((box) => box.bottom)) + MARGIN;
  await shoot(page, `example-${file}`, { x: left, y: top, width: right - left, height: bottom - top });
}
