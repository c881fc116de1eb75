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

test('one command starts it, and SIGINT ends it', async () => {
  const sandbox = start(['--port', '0', '--key', 'key-5', '--senders', 'NewSender', '--send-enabled', 'no']);
  const baseUrl = await sandbox.saying(/baseUrl\)\s+(\S+)/);
  await sandbox.saying(/Press (Ctrl)/);
  const data = [{ ...GOOD.sms, sms_signature: 'NewSender' }, GOOD.sms];
  const answer = (await (await post(`${baseUrl}/api/json.php`, { auth: 'key-5', data })).json()) as Envelope;
  expect(answer.data.map(({ success }) => success)).toEqual([true, false]);
  expect(await (await fetch(`${baseUrl}/health`)).json()).toMatchObject({ send_enabled: false });
  sandbox.child.kill('SIGINT');
  expect(await sandbox.ended).toBe(0);
});

test('faults and settings of the command line and of a file, and SIGTERM', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify({ statusLag: 60_000, faults: [{ kind: 'drop-before', times: 1 }] }));
  const late = { kind: 'status-before', status: 500, error: 'Broken', commitDelay: 10, times: 1 };
  const faults = ['--fault', JSON.stringify(late), '--fault', 'refuse-after'];
  const sandbox = start(['--port', '0', '--config', file, ...faults]);
  const baseUrl = await sandbox.saying(/baseUrl\)\s+(\S+)/);
  await sandbox.saying(/Press (Ctrl)/);
  expect(sandbox.output()).toMatch(
    /Fault +\{"kind":"drop-before","times":1\}\n +Fault +\{"kind":"status-before"/,
  );
  const send = () => post(`${baseUrl}/api/json.php`, { auth: 'sandbox-key', data: [GOOD.sms] });
  await expect(send()).rejects.toThrow();
  const response = await send();
  expect([response.status, await response.json()]).toEqual([500, { success: false, error: 'Broken' }]);
  expect(await (await send()).json()).toMatchObject({ success: false });
  const read = async (path: string) => (await (await fetch(`${baseUrl}/sandbox/${path}`)).json()) as any;
  while ((await read('counts')).accepted < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await read('config')).statusLag).toBe(60_000);
  sandbox.child.kill('SIGTERM');
  expect(await sandbox.ended).toBe(0);
  await rm(folder, { recursive: true });
});

test('settings can be written out on the command line', () => {
  const { options, settings } = readCommandLine(['--config', '{"statusLag":5,"faults":[{"kind":"slow"}]}']);
  expect(settings).toEqual({ statusLag: 5 });
  expect(options.faults).toEqual([{ kind: 'slow' }]);
});

test.each([
  [['--port', 'eighty'], '--port has to be a whole number from 0 to 65535, not "eighty"\n'],
  [['--fault', 'nothing'], expect.stringMatching(/^Fault: kind has to be one of drop-before, [^.]+\n$/)],
])('%j ends it with status 2 and one sentence', async (args, sentence) => {
  const sandbox = start(['--port', '0', ...args]);
  expect([await sandbox.ended, sandbox.output()]).toEqual([2, sentence]);
});

test.each([
  [['--notify', 'my-hook'], '--notify has to be an http or https address'],
  [['extra'], "Unexpected argument 'extra'"],
  [['--latency', '-5'], '--latency'],
  [['--colour', 'red'], "Unknown option '--colour'"],
  [['--senders', 'A,,B'], '--senders has to be names with commas between them'],
  [['--key', ''], '--key has to be a string that is not empty'],
  [['--outcome', ' '], '--outcome has to be a string that is not empty'],
  [['--send-enabled', 'maybe'], '--send-enabled has to be yes or no'],
  [['--fault', '{"kind"'], "--fault isn't JSON"],
  [['--config', '/nothing/here.json'], "The file of --config can't be read"],
  [['--config', MAIN], "main.mts isn't JSON"],
  [['--config', '{"latencyMs":"5"}'], 'Setting latencyMs has to be a number'],
  [['--config', '{"faults":5}'], 'faults of --config has to be a list'],
])('%j is refused', (args, words) => {
  expect(() => readCommandLine(args)).toThrow(words);
});

test('a port that is taken ends it with status 1', async () => {
  const other = await startSandbox();
  const sandbox = start(['--port', String(other.port)]);
  expect(await sandbox.ended).toBe(1);
  expect(sandbox.output()).toContain('address already in use');
  await other.close();
});
