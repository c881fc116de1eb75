import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';

import fc from 'fast-check';
import type { IHttpRequestOptions, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { explain } from '../../../nodes/gateway/errors/catalogue.ts';
import { classifyTransportError, mayHaveArrived } from '../../../nodes/gateway/errors/classify.ts';

const API_KEY = 'key-that-must-not-be-seen';
const node = { id: '1', name: 'n', type: 't', typeVersion: 1, position: [0, 0], parameters: {} } as INode;

/** An error as Node and axios make it: fields beside the message, and a cause below. */
const failure = (fields: Record<string, unknown>, cause?: unknown): Error =>
  Object.assign(new Error(String(fields.message ?? 'failed'), { cause }), fields);

/** What axios throws: the request hangs on it, with the key. */
const axiosError = (code: string, cause?: unknown, rest: Record<string, unknown> = {}): Error =>
  failure(
    {
      code,
      isAxiosError: true,
      config: { data: `{"auth":"${API_KEY}"}`, headers: { Authorization: `Bearer ${API_KEY}` } },
      request: { body: API_KEY },
      ...rest,
    },
    cause,
  );

const nodeError = (code: string, syscall?: string, message = `${syscall} ${code}`) =>
  failure({ code, message, ...(syscall && { syscall }) }) as Error & { code: string };

const asThrownByNode = (error: Error): NodeApiError => new NodeApiError(node, error as unknown as JsonObject);

/** What is made of an error itself, inside one of axios, and as n8n throws it. */
function expectProblem(error: Error & { code: string }, kind: string, cause?: Error): void {
  const { code, message } = error;
  const raw = axiosError(code, cause, { message });
  for (const thrown of [...(kind === 'tls' ? [] : [error]), raw, asThrownByNode(raw)]) {
    const problem = classifyTransportError(thrown);
    expect(problem).toEqual({ kind, code });
    expect(mayHaveArrived(problem)).toBe(kind === 'connectionLost');
  }
}

const handshake = 'Client network socket disconnected before secure TLS connection was established';

describe('nothing left this machine', () => {
  it.each([
    nodeError('ECONNREFUSED', 'connect'),
    nodeError('ENOTFOUND', 'getaddrinfo'),
    nodeError('EAI_AGAIN', 'getaddrinfo'),
    nodeError('EHOSTUNREACH', 'connect'),
    nodeError('ENETUNREACH', 'connect'),
    nodeError('ETIMEDOUT', 'connect'),
    nodeError('ECONNRESET', 'connect'),
    nodeError('ECONNRESET', undefined, handshake),
    nodeError('ERR_INVALID_URL'),
    nodeError('ERR_INVALID_CHAR'),
  ])('is unreachable: $code $message', (cause) => expectProblem(cause, 'unreachable', cause));

  it('reads a connection that was tried at several addresses', () => {
    const attempts = [nodeError('ETIMEDOUT', 'connect'), nodeError('ENETUNREACH', 'connect')];
    const aggregate = Object.assign(new AggregateError(attempts, ''), { code: 'ETIMEDOUT' });
    const raw = axiosError('ETIMEDOUT', aggregate);
    expect(classifyTransportError(asThrownByNode(raw))).toEqual({ kind: 'unreachable', code: 'ETIMEDOUT' });
    const mixed = Object.assign(new AggregateError([...attempts, nodeError('ETIMEDOUT', 'read')], ''), {
      code: 'ETIMEDOUT',
    });
    expect(classifyTransportError(axiosError('ETIMEDOUT', mixed))).toEqual({ kind: 'timeout' });
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'certificate has expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
    ['EPROTO', 'write EPROTO 00:error:0A00010B:SSL routines::wrong version number'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'sslv3 alert handshake failure'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tlsv1 alert protocol version'],
  ])('%s is a failed handshake', (code, message) => {
    const cause = nodeError(code, undefined, message);
    expectProblem(cause, 'tls', cause);
  });

  it.each([
    new UserError('The API key is only sent to the addresses of the credential'),
    new NodeOperationError(node, 'Node has no credential'),
    Object.assign(new Error('The request was blocked'), { name: 'SsrfBlockedIpError' }),
  ])('n8n refused it: $message', (error) => {
    for (const one of [error, asThrownByNode(error)]) {
      const problem = classifyTransportError(one);
      expect(problem).toEqual({ kind: 'blocked', text: error.message });
      expect(mayHaveArrived(problem)).toBe(false);
    }
  });
});

describe('it may have been received', () => {
  it.each([
    nodeError('ECONNRESET', 'read'),
    nodeError('ECONNRESET', undefined, 'socket hang up'),
    nodeError('EPIPE', 'write'),
    nodeError('EHOSTUNREACH', 'read'),
    nodeError('ENETUNREACH'),
    nodeError('ECONNABORTED', undefined, 'Request aborted'),
    nodeError('ERR_CANCELED', undefined, 'canceled'),
    nodeError('ERR_BAD_RESPONSE', undefined, 'stream has been aborted'),
    nodeError('UND_ERR_SOCKET', undefined, 'other side closed'),
    nodeError('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'),
    nodeError('EPROTO', 'read', 'read EPROTO bad record mac'),
    nodeError('ERR_SOMETHING_NEW'),
  ])('is a lost connection: $code $message', (cause) => expectProblem(cause, 'connectionLost'));

  it.each([
    axiosError('ECONNABORTED', undefined, { message: 'timeout of 300ms exceeded' }),
    axiosError('ETIMEDOUT', nodeError('ETIMEDOUT', 'read')),
    axiosError('ESOCKETTIMEDOUT'),
    failure({ code: 'UND_ERR_HEADERS_TIMEOUT' }),
  ])('is a time-out: $message', (error) => {
    for (const one of [error, asThrownByNode(error)]) {
      expect(classifyTransportError(one)).toEqual({ kind: 'timeout' });
    }
    expect(mayHaveArrived({ kind: 'timeout' })).toBe(true);
  });

  it('takes an answer that is no HTTP for something other than the gateway', () => {
    expect(classifyTransportError(axiosError('HPE_INVALID_CONSTANT'))).toEqual({ kind: 'notGateway' });
  });

  it.each([undefined, null, 'text', 42, [], {}, new Error('odd')])(
    'counts %p as possibly received',
    (thrown) => {
      expect(classifyTransportError(thrown)).toEqual({ kind: 'connectionLost', code: 'unknown' });
    },
  );

  it('survives anything that can be thrown, loops included', () => {
    const loop: Record<string, unknown> = { code: 'X' };
    loop.cause = loop;
    expect(classifyTransportError(loop)).toMatchObject({ kind: 'connectionLost' });
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
        expect(typeof explain(classifyTransportError(thrown)).message).toBe('string');
      }),
    );
  });
});

describe("with n8n's own request stack", () => {
  // What `httpRequestWithAuthentication` does, without a workflow around it: the request, and its error wrapped.
  const core = createRequire(createRequire(import.meta.filename).resolve('n8n-core'));
  const { OutboundHttp } = core('@n8n/backend-network') as {
    OutboundHttp: new (...parts: unknown[]) => {
      requests(options?: { useDefaultSsrfPolicy?: string }): {
        request(o: IHttpRequestOptions): Promise<unknown>;
      };
    };
  };
  const { Container } = core('@n8n/di') as { Container: { get<T>(type: new (...parts: never[]) => T): T } };

  const send = async (url: string, rest: Partial<IHttpRequestOptions> = {}) => {
    try {
      await Container.get(OutboundHttp)
        .requests()
        .request({
          method: 'POST',
          url,
          headers: { 'Content-Type': 'application/json' },
          body: { auth: API_KEY, data: [] },
          timeout: 2000,
          ...rest,
        });
    } catch (error) {
      const problem = classifyTransportError(asThrownByNode(error as Error));
      expect(JSON.stringify([problem, explain(problem)])).not.toContain(API_KEY);
      return problem;
    }
    return undefined;
  };

  const open: Array<Server | TcpServer> = [];
  const sockets = new Set<Socket>();
  const listen = async (server: Server | TcpServer): Promise<string> => {
    open.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const http = async (listener: RequestListener) => `http://${await listen(createServer(listener))}/`;

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(open.map(async (server) => await new Promise((resolve) => server.close(resolve))));
  });

  it('tells a refused connection', async () => {
    const server = createServer();
    const address = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    open.pop();
    expect(await send(`http://${address}/`)).toEqual({ kind: 'unreachable', code: 'ECONNREFUSED' });
  });

  it('tells a name that does not exist', async () => {
    const problem = await send('http://gateway.invalid/');
    expect(problem?.kind).toBe('unreachable');
    expect(['ENOTFOUND', 'EAI_AGAIN']).toContain((problem as { code: string }).code);
  });

  it('tells an address that is none, and https to a server without it', async () => {
    expect(await send('http://a b/')).toEqual({ kind: 'unreachable', code: 'ERR_INVALID_URL' });
    const address = await http((_, response) => response.end());
    expect(await send(address.replace('http:', 'https:'))).toMatchObject({ kind: 'tls' });
  });

  it('tells a handshake that is cut off', async () => {
    const address = await listen(createTcpServer((socket) => socket.once('data', () => socket.end())));
    expect(await send(`https://${address}/`)).toEqual({ kind: 'unreachable', code: 'ECONNRESET' });
  });

  it('tells a connection that breaks after the request', async () => {
    const address = await http((request) => request.on('data', () => request.socket.destroy()));
    expect(await send(address)).toEqual({ kind: 'connectionLost', code: 'ECONNRESET' });
  });

  it('tells an answer that breaks off', async () => {
    const address = await http((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"success":true,');
      setTimeout(() => request.socket.destroy(), 20);
    });
    expect(await send(address)).toMatchObject({ kind: 'connectionLost' });
  });

  it('tells a slow answer', async () => {
    const address = await http((request) => request.resume());
    expect(await send(address, { timeout: 100 })).toEqual({ kind: 'timeout' });
  });

  it('tells a stopped execution', async () => {
    const address = await http((request) => request.resume());
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    expect(await send(address, { abortSignal: abort.signal as IHttpRequestOptions['abortSignal'] })).toEqual({
      kind: 'connectionLost',
      code: 'ERR_CANCELED',
    });
  });

  it('tells an answer that is no HTTP', async () => {
    const address = await listen(
      createTcpServer((socket) => socket.once('data', () => socket.end('220 hello\r\n'))),
    );
    expect(await send(`http://${address}/`)).toEqual({ kind: 'notGateway' });
  });
});
