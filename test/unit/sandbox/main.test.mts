import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { GOOD, post } from './client.mts';
import type { Envelope } from './client.mts';

const MAIN = join(__dirname, '../../../sandbox/main.mts');

function start(args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const saying = (what: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => what.test(output) && resolve(what.exec(output)![1]);
      child.stdout.on('data', look);
      void ended.then(() => reject(new Error(output)));
      look();
    });
  return { child, ended, saying, output: () => output };
}

test.each(['SIGTERM', 'SIGINT'] as const)('one command starts it, %s ends it', async (signal) => {
  const sandbox = start(['--port', '0', '--key', 'key-5', '--senders', 'NewSender', '--send-enabled', 'no']);
  const baseUrl = await sandbox.saying(/baseUrl\)\s+(\S+)/);
  await sandbox.saying(/Press (Ctrl)/);
  const data = [{ ...GOOD.sms, sms_signature: 'NewSender' }, GOOD.sms];
  const answer = (await (await post(`${baseUrl}/api/json.php`, { auth: 'key-5', data })).json()) as Envelope;
  expect(answer.data.map(({ success }) => success)).toEqual([true, false]);
  expect(await (await fetch(`${baseUrl}/health`)).json()).toMatchObject({ send_enabled: false });
  sandbox.child.kill(signal);
  expect(await sandbox.ended).toBe(0);
});

test('wrong arguments end it with a reason', async () => {
  const sandbox = start(['--port', 'eighty']);
  expect(await sandbox.ended).toBe(1);
  expect(sandbox.output()).toContain('--port has to be a whole number');
});
