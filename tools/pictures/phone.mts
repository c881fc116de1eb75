/** Pictures of the sandbox's phone page. */
import { startSandbox } from '../../sandbox/server.mts';
import { SAMPLES } from '../../test/support/sample-messages.mts';
import { postJson } from '../../test/support/web-server.mts';
import { shoot } from './studio.mts';
import type { Studio } from './studio.mts';

/** Writes a picture of the phone page with a message on each channel, in a sandbox of its own. */
export async function takePhonePictures({ browser }: Pick<Studio, 'browser'>): Promise<void> {
  const sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, colorScheme: 'light' });
  try {
    const page = await context.newPage();
    await page.goto(sandbox.phonePageUrl);
    await postJson(`${sandbox.baseUrl}/api/json.php`, { auth: sandbox.account().key, data: SAMPLES });
    await page.locator('.message').nth(6).waitFor();
    const msgId = (type: string) =>
      sandbox.messages.list().find((message) => message.type === type)?.msgId ?? 0;
    sandbox.act(msgId('sms'), 'status', { status: 'DELIVERED' });
    sandbox.act(msgId('viber+sms'), 'status', { status: 'READ' });
    sandbox.act(msgId('rcs'), 'reply', { message: 'Leave it at the door, please' });
    sandbox.act(msgId('pipeline'), 'fail');
    await sandbox.settled();
    await page.getByText('Leave it at the door, please').first().waitFor();
    await shoot(page, 'phone-page');
  } finally {
    await context.close();
    await sandbox.close();
  }
}
