import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '../../../sandbox/command-line.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { GOOD, post } from './client.mts';
import type { Envelope } from './client.mts';

const MAIN = join(__dirname, '../../../sandbox/main.mts');

const started: ChildProcess[] = [];
// A test that fails must not leave a sandbox that runs on.
afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));

function start(args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
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

test('one command starts it with settings and faults of its options and of a file, and a signal ends it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify({ queueDelayMs: 60_000, faults: [{ kind: 'drop-before', times: 1 }] }));
  const fault = JSON.stringify({ kind: 'status-before', status: 500, error: 'Broken', times: 1 });
  const account = ['--key', 'key-5', '--senders', 'NewSender', '--send-enabled', 'no'];
  const sandbox = start(['--port', '0', ...account, '--config', file, '--fault', fault]);
  const baseUrl = await sandbox.saying(/API Address\s+(\S+)/);
  await sandbox.saying(/Press (Ctrl)/);
  expect(sandbox.output()).toMatch(
    /Fault +\{"kind":"drop-before","times":1\}\n +Fault +\{"kind":"status-before"/,
  );
  const data = [{ ...GOOD.sms, sms_signature: 'NewSender' }, GOOD.sms];
  const send = async () => (await post(`${baseUrl}/api/json.php`, { auth: 'key-5', data })).json();
  await expect(send()).rejects.toThrow();
  expect(await send()).toEqual({ success: false, error: 'Broken' });
  expect(((await send()) as Envelope).data.map(({ success }) => success)).toEqual([true, false]);
  expect(await (await fetch(`${baseUrl}/health`)).json()).toMatchObject({ send_enabled: false });
  expect(await (await fetch(`${baseUrl}/sandbox/config`)).json()).toMatchObject({ queueDelayMs: 60_000 });
  sandbox.child.kill('SIGTERM');
  expect(await sandbox.ended).toBe(0);
  await rm(folder, { recursive: true });
});

test.each([
  [['--port', 'eighty'], '--port: has to be a whole number'],
  [['--notify', 'my-hook'], '--notify: has to be an http or https address'],
  [['--colour', 'red'], "Unknown option '--colour'"],
  [['--senders', 'A,,B'], '--senders: 1: has to be a text that is not empty'],
  [['--send-enabled', 'maybe'], "--send-enabled: Invalid enum value. Expected 'yes' | 'no'"],
  [['--fault', '{"kind"'], "--fault isn't JSON"],
  [['--config', '/nothing/here.json'], "The file of --config can't be read"],
  [['--config', '{"latencyMs":"5"}'], 'Settings: latencyMs: Expected number'],
])('the options %j are refused before anything starts', (args, words) =>
  expect(() => readCommandLine(args)).toThrow(words),
);

test.each([
  [2, ['--fault', 'nothing'], /^Fault: kind: Invalid enum value\. Expected 'drop-before' .+\n$/],
  [1, [], /^Port \d+ is in use by another program: choose one with --port, or --port 0 for any free one\n$/],
])('what cannot be ends it with status %i and one sentence', async (status, args, sentence) => {
  const other = await startSandbox();
  const sandbox = start(['--port', String(other.port), ...args]);
  expect([await sandbox.ended, sandbox.output()]).toEqual([status, expect.stringMatching(sentence)]);
  await other.close();
});
