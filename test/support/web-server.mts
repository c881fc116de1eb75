import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIP } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

export interface Received {
  method?: string;
  url?: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface WebServer {
  /** Address without a slash at its end. */
  url: string;
  /** The requests that were received, in order, with bodies. */
  received: Received[];
  close(): Promise<void>;
}

/** Starts a web server on this machine, whose answer may depend on the request; `host` is as the sandbox takes it. */
export async function startWebServer(
  answer: (response: ServerResponse, request: Received) => unknown,
  host = '127.0.0.1',
): Promise<WebServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { method, url, headers } = request;
      const one = { method, url, headers, body };
      received.push(one);
      answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, isIP(host) ? host : '127.0.0.1', resolve));
  // A client that calls again after Node's five seconds may meet a connection that is just being closed.
  server.keepAliveTimeout = 60_000;
  // A test that fails before it closes the server must not keep the whole run from ending.
  server.unref();
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface TestServer extends WebServer {
  /** How it answers, until a test says otherwise. */
  answer(response: ServerResponse, request: Received): unknown;
}

/** A web server of the file's own; what it has received is forgotten before each test. */
export function testServer(answer: TestServer['answer'] = (response) => response.end()): TestServer {
  const server = { answer } as TestServer;
  beforeAll(async () => {
    Object.assign(server, await startWebServer((response, request) => server.answer(response, request)));
  });
  beforeEach(() => void server.received.splice(0));
  afterAll(async () => await server.close?.());
  return server;
}

/** Posts JSON to an address. */
export const postJson = async (address: string, body: object): Promise<Response> =>
  await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Answers with JSON. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Starts a gateway that answers each operation of a batch by itself. */
export const startGateway = async (answerTo: (operation: IDataObject) => object): Promise<WebServer> =>
  await startWebServer((response, { body }) => {
    const { data } = JSON.parse(body) as { data: IDataObject[] };
    sendJson(response, { success: true, data: data.map(answerTo) });
  });
