import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import type { Connection } from '../../../nodes/n8n/connection.ts';
import { readConnection, testConnection } from '../../../nodes/n8n/connection.ts';
import { sendRequest } from '../../../nodes/n8n/request.ts';
import { credentialTestContext, formContext, runContext } from '../../support/contexts.mts';
import type { Received, WebServer } from '../../support/web-server.mts';
import { startWebServer } from '../../support/web-server.mts';

const KEY = 'key-for-tests';

let answer: (response: ServerResponse, request: Received) => unknown;
let server: WebServer;

beforeAll(async () => {
  server = await startWebServer((response, request) => answer(response, request));
});
beforeEach(() => server.received.splice(0));
afterAll(() => server.close());

const credential = (address = server.url) => ({
  apiKey: KEY,
  baseUrl: address,
  asyncUrl: '',
  mcpUrl: address,
});

const request = (over: Partial<Parameters<typeof sendRequest>[1]> = {}) => ({
  method: 'POST' as const,
  url: `${server.url}/api/json.php`,
  headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
  body: { data: [] },
  timeout: 5000,
  ...over,
});

/** Milliseconds after which something counts as never: time limits of these tests are far below it. */
const PATIENCE = 30_000;

/** What one request brings: all of the answer, or why there is none. */
async function exchange(connection: Connection, over: Partial<Parameters<typeof sendRequest>[1]> = {}) {
  const reply = await sendRequest(connection, request(over));
  if (reply.kind === 'failure') return reply;
  let text = '';
  for (;;) {
    const part = await reply.read();
    if (part.kind === 'text') text += part.text;
    else return { ...reply, text, last: part };
  }
}

/** Whether the client has let go of the connection of a response. */
const letGo = async (response: ServerResponse) =>
  await new Promise<boolean>((resolve) => {
    if (response.destroyed) return resolve(true);
    const timer = setTimeout(() => resolve(false), PATIENCE);
    response.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });

const WAYS: Array<[string, (address?: string) => Promise<Connection>]> = [
  ['an execution', async (address) => await readConnection(runContext(credential(address)))],
  ['a form', async (address) => await readConnection(formContext(credential(address)))],
  [
    'the test of a credential',
    async (address) => testConnection(credentialTestContext(), credential(address)),
  ],
];

describe.each(WAYS)('a request of %s', (_, open) => {
  it('carries the key and brings the answer', async () => {
    answer = (response) => response.setHeader('content-type', 'application/json').end('{"a":"ä"}');
    expect(await exchange(await open())).toMatchObject({
      kind: 'reply',
      status: 200,
      contentType: 'application/json',
      text: '{"a":"ä"}',
      last: { kind: 'end' },
    });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ method: 'POST', url: '/api/json.php' });
    expect(server.received[0].headers['content-type']).toBe('application/json');
    expect(JSON.parse(server.received[0].body)).toEqual({ auth: KEY, data: [] });
  });

  it('unpacks a compressed answer', async () => {
    answer = (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('{"packed":true}'));
    expect(await exchange(await open())).toMatchObject({ text: '{"packed":true}' });
  });

  it('puts characters together that come in two parts', async () => {
    const [first, second] = [Buffer.from('ä').subarray(0, 1), Buffer.from('ä').subarray(1)];
    answer = (response) => {
      response.write(first);
      setTimeout(() => response.end(second), 50);
    };
    expect(await exchange(await open())).toMatchObject({ text: 'ä' });
  });

  it('follows no redirect, which would carry the key away', async () => {
    const elsewhere = await startWebServer((response) => response.end());
    answer = (response) => response.writeHead(307, { location: `${elsewhere.url}/` }).end();
    const reply = await exchange(await open());
    await elsewhere.close();
    expect(reply).toMatchObject({ status: 307 });
    expect(elsewhere.received).toEqual([]);
  });

  it('brings a content type without the key that the server put into it', async () => {
    answer = (response, { body }) =>
      response.setHeader('content-type', `text/x-${(JSON.parse(body) as { auth: string }).auth}`).end();
    expect(await exchange(await open())).toMatchObject({ contentType: 'text/x-[API key]' });
  });

  it.each([
    ['seconds', () => '7', [7]],
    ['a date to come', () => new Date(Date.now() + 60_000).toUTCString(), [59, 60]],
  ])('reads a Retry-After with %s', async (__, header, seconds) => {
    answer = (response) => response.setHeader('retry-after', header()).end();
    const { retryAfter } = (await exchange(await open())) as { retryAfter?: number };
    expect(seconds).toContain(retryAfter);
  });

  it('says that nothing arrived where nobody listens', async () => {
    const gone = await startWebServer(() => undefined);
    await gone.close();
    const connection = await open(gone.url);
    expect(await exchange(connection, { url: `${gone.url}/api/json.php` })).toEqual({
      kind: 'failure',
      problem: { kind: 'unreachable', code: 'ECONNREFUSED' },
      mayHaveArrived: false,
    });
  });

  it('sends nothing to an address that is not in the credential', async () => {
    const url = `${server.url}/elsewhere`;
    expect(await exchange(await open(), { url })).toMatchObject({
      problem: { kind: 'blocked' },
      mayHaveArrived: false,
    });
    expect(server.received).toEqual([]);
  });

  it('says that it may have arrived when the connection breaks', async () => {
    answer = (response) => response.socket?.destroy();
    expect(await exchange(await open())).toMatchObject({
      problem: { kind: 'connectionLost' },
      mayHaveArrived: true,
    });
  });

  it('says so when the answer breaks off', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      setTimeout(() => response.destroy(), 50);
    };
    expect(await exchange(await open())).toMatchObject({
      text: 'half',
      last: { kind: 'failure', problem: { kind: 'connectionLost' } },
    });
  });

  it('ends at its time limit when no answer begins', async () => {
    let open_: ServerResponse | undefined;
    answer = (response) => (open_ = response);
    const start = Date.now();
    expect(await exchange(await open(), { timeout: 300 })).toEqual({
      kind: 'failure',
      problem: { kind: 'timeout' },
      mayHaveArrived: true,
    });
    expect(Date.now() - start).toBeLessThan(PATIENCE);
    expect(await letGo(open_ as ServerResponse)).toBe(true);
  });

  it('ends at its time limit when the answer trickles, and lets go of the connection', async () => {
    let trickling: ServerResponse | undefined;
    answer = (response) => {
      trickling = response;
      const timer = setInterval(() => response.write('.'), 20);
      response.once('close', () => clearInterval(timer));
    };
    const start = Date.now();
    const reply = await exchange(await open(), { timeout: 400 });
    expect(reply).toMatchObject({ last: { kind: 'failure', problem: { kind: 'timeout' } } });
    expect(Date.now() - start).toBeLessThan(PATIENCE);
    expect(await letGo(trickling as ServerResponse)).toBe(true);
  });

  it('lets go of an answer that is closed half read as soon as the server sends more', async () => {
    let endless: ServerResponse | undefined;
    answer = (response) => {
      endless = response;
      response.write('first');
    };
    const reply = await sendRequest(await open(), request());
    expect(reply.kind === 'reply' && (await reply.read())).toEqual({ kind: 'text', text: 'first' });
    if (reply.kind === 'reply') reply.close();
    (endless as ServerResponse).write('more');
    expect(await letGo(endless as ServerResponse)).toBe(true);
  });
});

it('counts a request as arrived once its answer has begun, whatever the error that ends it looks like', async () => {
  const certificate = Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' });
  const body = Readable.from(
    (async function* () {
      yield await Promise.resolve('half');
      throw certificate;
    })(),
  );
  const http = {
    request: async () => await Promise.resolve({ statusCode: 200, headers: {}, body }),
    redact: (text: string) => text,
  };
  const reply = await sendRequest(http, request());
  expect(reply.kind === 'reply' && [await reply.read(), await reply.read()]).toEqual([
    { kind: 'text', text: 'half' },
    { kind: 'failure', problem: { kind: 'connectionLost', code: 'CERT_HAS_EXPIRED' } },
  ]);
});

describe('a request of an execution that is stopped', () => {
  const stopped = { kind: 'connectionLost', code: 'ERR_CANCELED' };

  it('does not leave when it is stopped already', async () => {
    const connection = await readConnection(runContext(credential(), AbortSignal.abort()));
    expect(await exchange(connection)).toEqual({
      kind: 'failure',
      problem: { kind: 'cancelled' },
      mayHaveArrived: false,
    });
    expect(server.received).toEqual([]);
  });

  it('ends at once, and may have arrived', async () => {
    const stop = new AbortController();
    let hanging: ServerResponse | undefined;
    answer = (response) => {
      hanging = response;
      stop.abort();
    };
    const start = Date.now();
    const connection = await readConnection(runContext(credential(), stop.signal));
    expect(await exchange(connection)).toEqual({ kind: 'failure', problem: stopped, mayHaveArrived: true });
    expect(Date.now() - start).toBeLessThan(PATIENCE);
    expect(await letGo(hanging as ServerResponse)).toBe(true);
  });

  it('leaves nothing behind that listens to the end of the execution', async () => {
    const stop = new AbortController();
    const connection = await readConnection(runContext(credential(), stop.signal));
    answer = (response) => response.end('{}');
    for (let i = 0; i < 20; i++) await exchange(connection);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});
