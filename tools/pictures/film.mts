/** The moving picture of the README: a row is sent in the editor, arrives on the phone page, and is delivered. */
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';

import { action, rows, workflow } from '../../test/support/real-n8n.mts';
import { ANY_SENDER, newestMessage, openLastNode, PICTURES } from './studio.mts';
import type { Studio } from './studio.mts';

/** A pointer and a line of words, which a screenshot wouldn't have. */
const OVERLAY = `(() => {
  const pointer = document.createElement('div');
  pointer.id = 'pointer';
  pointer.innerHTML = '<svg width="26" height="26" viewBox="0 0 24 24"><path d="M4 2l15 11-7 1 4 7-3 1-3-7-6 5z" stroke="#fff" stroke-width="1.5"/></svg>';
  const words = document.createElement('div');
  words.id = 'words';
  for (const [element, style] of [
    [pointer, 'left:50%;top:60%'],
    [words, 'left:0;right:0;bottom:0;padding:9px;background:#101330;color:#fff;font:600 17px sans-serif;text-align:center'],
  ]) {
    element.popover = 'manual';
    element.style = 'position:fixed;inset:auto;margin:0;border:0;padding:0;background:none;pointer-events:none;width:auto;' + style;
    document.body.append(element);
    element.showPopover();
  }
  words.style.width = '100%';
})()`;

/** Frames and how long each is shown. */
class Film {
  private readonly frames: Buffer[] = [];

  private readonly delays: number[] = [];

  /** Shows the page as it is for a while. */
  async show(page: Page, ms: number): Promise<void> {
    this.frames.push(await page.screenshot());
    this.delays.push(ms);
  }

  /** Moves the pointer to the middle of what is clicked, and clicks it. */
  async click(page: Page, target: Locator): Promise<void> {
    const box = (await target.boundingBox())!;
    const from = await page.locator('#pointer').boundingBox();
    const steps = 8;
    for (let step = 1; step <= steps; step += 1) {
      const part = step / steps;
      const x = from!.x + (box.x + box.width / 2 - from!.x) * part;
      const y = from!.y + (box.y + box.height / 2 - from!.y) * part;
      await page.locator('#pointer').evaluate(
        (pointer, [left, top]) => {
          pointer.style.left = `${left}px`;
          pointer.style.top = `${top}px`;
        },
        [x, y],
      );
      await this.show(page, step === steps ? 400 : 60);
    }
    await target.click();
  }

  /** Writes it as a GIF, which npm's page shows as well. */
  async write(name: string): Promise<void> {
    await sharp(this.frames, { join: { animated: true } })
      .gif({ delay: this.delays, loop: 0, effort: 10, dither: 0 })
      .toFile(join(PICTURES, `${name}.gif`));
  }
}

const say = async (page: Page, words: string): Promise<void> =>
  await page.evaluate((text) => {
    document.querySelector('#words')!.textContent = text;
  }, words);

export async function takeFilm(studio: Studio): Promise<void> {
  studio.sandbox.reset();
  const film = new Film();
  const order = { phone: '447700900123', name: 'Anna', order: 1042 };
  const node = action('Send SMS', studio.credential, {
    resource: 'message',
    operation: 'sendSms',
    phone: '={{ $json.phone }}',
    smsSignature: ANY_SENDER,
    smsMessage: '=Hello {{ $json.name }}, your order {{ $json.order }} is ready.',
    waitForDelivery: true,
    waitAmount: 10,
    waitUnit: 'minutes',
  });
  const flow = { ...workflow([rows('Orders', [order]), node]), pinData: { Orders: [{ json: order }] } };
  // About as wide as GitHub shows a README, so that texts keep their size.
  const editor = await openLastNode(studio, flow, [1000, 620]);
  const { page, output } = editor;
  await page.getByText('Anna').first().waitFor();
  await page.evaluate(OVERLAY);
  const phone = await page.context().newPage();
  await phone.goto(studio.sandbox.phonePageUrl);
  await phone.evaluate(OVERLAY);

  await say(page, 'A row becomes an SMS');
  await film.show(page, 3500);
  await film.click(page, editor.runButton);
  await newestMessage(studio);

  await say(phone, 'It arrives on the phone page of the sandbox');
  await phone.locator('.message').waitFor();
  await film.show(phone, 3000);
  await film.click(phone, phone.getByRole('button', { name: 'Delivered', exact: true }));
  await phone.getByText(/^Callback DELIVERED → 200/).waitFor();
  await film.show(phone, 2500);

  await say(page, 'n8n goes on once it is delivered');
  await editor.untilOutput();
  await output.getByText('JSON', { exact: true }).click();
  await output.getByText('"arrived"').waitFor();
  await film.show(page, 4300);
  await page.context().close();
  await film.write('row-to-phone');
}
