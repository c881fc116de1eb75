import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import type { Connection } from '../../../nodes/n8n/connection.ts';
import { readConnection, testConnection } from '../../../nodes/n8n/connection.ts';
import { sendRequest } from '../../../nodes/n8n/request.ts';
import { credentialTestContext, formContext, runContext } from '../../support/contexts.mts';
import { startWebServer, testServer } from '../../support/web-server.mts';

const KEY = 'key-for-tests';

const server = testServer();

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
  timeoutMs: 5000,
  maxCharacters: 1000,
  ...over,
});

/** What one request brings: all of the answer, or why there is none. */
const exchange = async (connection: Connection, over: Partial<Parameters<typeof sendRequest>[1]> = {}) =>
  await sendRequest(connection, request(over));

/** Milliseconds after which something counts as never: time limits of these tests are far below it. */
const PATIENCE = 120_000;

/** Resolves once the client has let go of the connection of the response. */
const letGo = async (response: ServerResponse | undefined): Promise<void> => {
  if (!response!.destroyed) await once(response!, 'close');
};

const WAYS: Array<[string, (address?: string) => Promise<Connection>]> = [
  ['an execution', async (address) => await readConnection(runContext(credential(address)))],
  ['a form', async (address) => await readConnection(formContext(credential(address)))],
  [
    'the test of a credential',
    async (address) => testConnection(credentialTestContext(), credential(address)),
  ],
];

describe.each(WAYS)('a request of %s', (_, open) => {
  it('carries the key and brings the answer, unpacked', async () => {
    server.answer = (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync('{"a":"ä"}'));
    expect(await exchange(await open())).toMatchObject({
      kind: 'answer',
      status: 200,
      contentType: 'application/json',
      body: '{"a":"ä"}',
    });
    expect(server.received).toMatchObject([
      { method: 'POST', url: '/api/json.php', headers: { 'content-type': 'application/json' } },
    ]);
    expect(JSON.parse(server.received[0].body)).toEqual({ auth: KEY, data: [] });
  });

  it('puts characters together that come in two parts', async () => {
    const [first, second] = [Buffer.from('ä').subarray(0, 1), Buffer.from('ä').subarray(1)];
    server.answer = (response) => {
      response.write(first);
      setTimeout(() => response.end(second), 50);
    };
    expect(await exchange(await open())).toMatchObject({ body: 'ä' });
  });

  it.each<[string, string, Buffer]>([
    ['in windows-1251', 'application/json; charset="Windows-1251"', Buffer.from([0xcd, 0xe5, 0xf2])],
    ['with a byte order mark', 'application/json', Buffer.from('\uFEFFНет')],
    ['in an encoding that does not exist', 'application/json; charset=utf-9', Buffer.from('Нет')],
  ])('brings the text of an answer %s', async (_, type, bytes) => {
    server.answer = (response) => response.setHeader('content-type', type).end(bytes);
    expect(await exchange(await open())).toMatchObject({ contentType: type, body: 'Нет' });
  });

  it('follows no redirect, which would carry the key away', async () => {
    const elsewhere = await startWebServer((response) => response.end());
    server.answer = (response) => response.writeHead(307, { location: `${elsewhere.url}/` }).end();
    const reply = await exchange(await open());
    await elsewhere.close();
    expect(reply).toMatchObject({ status: 307 });
    expect(elsewhere.received).toEqual([]);
  });

  it('brings a content type and a text without the key that the server put into them', async () => {
    server.answer = (response, { body }) => {
      const { auth } = JSON.parse(body) as { auth: string };
      response.setHeader('content-type', `text/x-${auth}`).end(`Bearer ${auth} is not valid`);
    };
    expect(await exchange(await open())).toMatchObject({
      contentType: 'text/x-[API key]',
      body: 'Bearer [API key] is not valid',
    });
  });

  it('sends nothing to an address that is not in the credential', async () => {
    const url = `${server.url}/elsewhere`;
    expect(await exchange(await open(), { url })).toMatchObject({
      problem: { kind: 'blocked' },
    });
    expect(server.received).toEqual([]);
  });

  it('says so when the answer breaks off', async () => {
    server.answer = (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      setTimeout(() => response.destroy(), 50);
    };
    expect(await exchange(await open())).toMatchObject({
      problem: { kind: 'connectionLost' },
    });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['no answer begins', () => undefined],
    [
      'the answer trickles',
      (response: ServerResponse) => {
        const timer = setInterval(() => response.write('.'), 20);
        response.once('close', () => clearInterval(timer));
      },
    ],
  ])(
    'ends at its time limit when %s, and lets go of the connection',
    async (_, begin) => {
      let kept: ServerResponse | undefined;
      server.answer = (response) => {
        kept = response;
        begin(response);
      };
      // A busy machine may need longer than that for the request to arrive.
      for (let timeout = 400; kept === undefined; timeout *= 4) {
        expect(await exchange(await open(), { timeoutMs: timeout })).toEqual({
          kind: 'failure',
          problem: { kind: 'timeout' },
        });
      }
      await letGo(kept);
    },
    PATIENCE,
  );

  it(
    'lets go of an answer that is too long, long before its time limit',
    async () => {
      let endless: ServerResponse | undefined;
      server.answer = (response) => {
        endless = response;
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(1000)));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      };
      expect(await exchange(await open(), { timeoutMs: PATIENCE })).toEqual({
        kind: 'failure',
        problem: { kind: 'notGateway', contentType: '', status: 200, isTooLong: true },
      });
      await letGo(endless);
    },
    PATIENCE,
  );
});

describe('a server that gives no answer', () => {
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(isTalking ? '220 hello\r\n' : ''));
  });
  let isTalking = false;
  beforeAll(() => new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => tcp.close(resolve));
  });
  const ownAddress = () => `127.0.0.1:${(tcp.address() as AddressInfo).port}`;
  const talking = () => {
    isTalking = true;
    return `http://${ownAddress()}`;
  };
  const nobody = async () => {
    const gone = await startWebServer(() => undefined);
    await gone.close();
    return gone.url;
  };

  it.each<[string, address: () => string | Promise<string>, problem: object]>([
    ['that nobody listens', nobody, { kind: 'unreachable', code: 'ECONNREFUSED' }],
    ['a name that does not exist', () => 'http://gateway.invalid', { kind: 'unreachable' }],
    ['https to a server without it', () => server.url.replace('http:', 'https:'), { kind: 'unreachable' }],
    ['a handshake that is cut off', () => `https://${ownAddress()}`, { kind: 'unreachable' }],
    [
      'a connection that breaks',
      () => `http://${ownAddress()}`,
      { kind: 'connectionLost', code: 'ECONNRESET' },
    ],
    ['what is no HTTP', talking, { kind: 'notGateway' }],
  ])('the error tells %s', async (_, address, problem) => {
    const url = await address();
    const connection = await readConnection(runContext(credential(url)));
    const failed = await exchange(connection, { url: `${url}/api/json.php` });
    expect(failed).toMatchObject({ kind: 'failure', problem });
    expect(JSON.stringify(failed)).not.toContain(KEY);
  });
});

it('counts a request as arrived once its answer has begun, whatever the error that ends it looks like', async () => {
  const certificate = Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' });
  const body = Readable.from(
    (async function* () {
      yield await Promise.resolve(Buffer.from('half'));
      throw certificate;
    })(),
  );
  const http = {
    request: async () => await Promise.resolve({ statusCode: 200, headers: {}, body }),
    redact: (text: string) => text,
  };
  expect(await sendRequest(http, request())).toEqual({
    kind: 'failure',
    problem: { kind: 'connectionLost', code: 'CERT_HAS_EXPIRED' },
  });
});

describe('a request of an execution that is stopped', () => {
  it('does not leave when it is stopped already', async () => {
    const connection = await readConnection(runContext(credential(), AbortSignal.abort()));
    expect(await exchange(connection)).toEqual({
      kind: 'failure',
      problem: { kind: 'cancelled' },
    });
    expect(server.received).toEqual([]);
  });

  it(
    'ends at once',
    async () => {
      const stop = new AbortController();
      let hanging: ServerResponse | undefined;
      server.answer = (response) => {
        hanging = response;
        stop.abort();
      };
      const connection = await readConnection(runContext(credential(), stop.signal));
      const problem = { kind: 'connectionLost', code: 'ERR_CANCELED' };
      expect(await exchange(connection)).toEqual({ kind: 'failure', problem });
      await letGo(hanging);
    },
    PATIENCE,
  );

  it('leaves nothing behind that listens to the end of the execution', async () => {
    const stop = new AbortController();
    const connection = await readConnection(runContext(credential(), stop.signal));
    server.answer = (response) => response.end('{}');
    for (let i = 0; i < 20; i++) await exchange(connection);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});
