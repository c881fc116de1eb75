/** The sandbox's own package on a machine that has neither a clone nor anything else: an empty folder, home and cache. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mustRun } from '../../tools/run-command.mts';
import { PACKAGE_NAME, ROOT, TMP } from '../../tools/paths.mts';
import type { WebServer } from '../support/web-server.mts';
import { sendJson, startWebServer } from '../support/web-server.mts';

const TARBALL = join(TMP, 'messaging-gateway-sandbox.tgz');
const KEY = 'key-of-nobody';

let folder: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  await mustRun('node', ['tools/sandbox.mts']);
  folder = await mkdtemp(join(tmpdir(), 'no-clone-'));
  await copyFile(TARBALL, join(folder, 'messaging-gateway-sandbox.tgz'));
});

afterAll(async () => {
  for (const { pid } of started) {
    try {
      process.kill(-pid!, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  await rm(folder, { recursive: true, force: true });
});

/** Runs the tarball with npx. No registry can be reached, so nothing else can be installed. */
function npx(args: string[], env: NodeJS.ProcessEnv = {}, home = folder) {
  const child = spawn('npx', ['--yes', './messaging-gateway-sandbox.tgz', ...args], {
    cwd: folder,
    detached: true,
    env: { PATH: process.env.PATH, HOME: home, npm_config_registry: 'http://127.0.0.1:9/', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { ended, output: () => output };
}

async function checkOf(address: string, key = KEY) {
  const run = npx(['check', address], { MESSAGING_GATEWAY_KEY: key });
  return { status: await run.ended, said: run.output() };
}

/** The address of the page, once it is printed. */
async function printed(output: () => string, label: RegExp): Promise<string> {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    const found = label.exec(output());
    if (found) return found[1];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The package printed:\n${output()}`);
}

it('shows its phone page within ten seconds of npx, says what to fill in, and passes its own check', async () => {
  let seconds = Infinity;
  let shown = { output: () => '', page: '', html: '', status: 0 };
  // Each time with an empty home; again where this machine was busy with other tests.
  for (let tries = 0; tries < 3 && seconds >= 10; tries += 1) {
    const start = performance.now();
    const { output } = npx(['--port', '0', '--key', KEY], {}, join(folder, `home-${tries}`));
    const page = await printed(output, /(http:\S+\/phone)/);
    const response = await fetch(page);
    shown = { output, page, html: await response.text(), status: response.status };
    seconds = (performance.now() - start) / 1000;
  }
  const { output, page, html, status: httpStatus } = shown;
  expect([httpStatus, html]).toEqual([200, expect.stringContaining('<h1>Sandbox phone</h1>')]);
  expect(seconds).toBeLessThan(10);
  const address = page.slice(0, -'/phone'.length);
  expect(new URL(address).hostname).toBe('127.0.0.1');
  for (const path of html.match(/(?<=(?:href|src)=")\/[^"]+/g) ?? []) {
    expect([path, (await fetch(address + path)).status]).toEqual([path, 200]);
  }
  for (const line of [`API Key                  ${KEY}`, `Base URL                 ${address}`]) {
    expect(output()).toContain(line);
  }
  const { status, said } = await checkOf(address);
  expect([status, said]).toEqual([0, expect.stringContaining('This looks like a gateway of this contract.')]);
  expect(said).not.toMatch(/differs|open|skipped/);
  expect(said).not.toContain(KEY);
  const refused = await checkOf(address, 'another-key');
  expect([refused.status, refused.said]).toEqual([3, expect.stringContaining('Your key: is refused')]);
});

/** Gateways that are none, by what they answer. */
const BROKEN: Array<[string, (response: Parameters<typeof sendJson>[0], auth: string) => void, string]> = [
  [
    'a web page',
    (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Sign in</title>'),
    'answers with a web page, "Sign in"',
  ],
  [
    'JSON of another shape',
    (response) => sendJson(response, { code: 0, message: 'OK' }),
    'it answers with JSON of another shape: "success" is missing',
  ],
  [
    'numbers as text',
    (response, auth) => {
      const data = { amount: '31.17', currency: 'UAH' };
      const body = { success: true, data: [{ success: true, data }] };
      sendJson(response, auth === KEY ? body : { success: false, error: 'Access denied' });
    },
    'Balance: "amount" is the text "31.17", where the contract has a number.',
  ],
];

it.each(BROKEN)('says in a sentence that %s is not of this contract', async (_what, answer, sentence) => {
  let server: WebServer | undefined;
  try {
    server = await startWebServer((response, { body }) => answer(response, JSON.parse(body).auth));
    const { status, said } = await checkOf(server.url);
    expect([status, said]).toEqual([1, expect.stringContaining(sentence)]);
    expect(said).toMatch(/This (does not look|looks) like a gateway of this contract/);
    expect(said).not.toContain(KEY);
  } finally {
    await server?.close();
  }
});

it('holds nothing but one file of code, the page and texts, and needs no other package', async () => {
  const files = (await mustRun('tar', ['-tzf', TARBALL]))
    .trim()
    .split('\n')
    .map((file) => file.replace('package/', ''));
  const others = files.filter((file) => !/^page\/[a-z-]+\.(js|css|svg|html)$/.test(file));
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json', 'sandbox.mjs']);
  const manifest = JSON.parse(await mustRun('tar', ['-xzOf', TARBALL, 'package/package.json']));
  expect(manifest).toMatchObject({ private: true, bin: { 'messaging-gateway-sandbox': 'sandbox.mjs' } });
  expect(Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))).toEqual([]);
  const code = await mustRun('tar', ['-xzOf', TARBALL, 'package/sandbox.mjs']);
  expect(code).not.toContain(ROOT);
  expect(code).not.toContain(PACKAGE_NAME);
});
