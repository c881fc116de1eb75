/** Small helpers over node:http that every endpoint of the sandbox uses. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Raised when a body is larger than allowed; the rest of it is not read. */
export class BodyTooLarge extends Error {}

/** Raised when the client closes the connection before its body is there: nobody is left to be answered. */
export class ClientGone extends Error {}

/**
 * Reads a request body whole.
 * @param most bytes allowed
 * @throws BodyTooLarge or ClientGone
 */
export function readBody(request: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) {
        request.pause();
        reject(new BodyTooLarge(`Body over ${most} bytes`));
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', (error) => reject(new ClientGone(error.message)));
    request.on('aborted', () => reject(new ClientGone('The client closed the connection')));
  });
}

/** Returns the body of a request; undefined where the client is gone, or where `refuse` has answered one over `most` bytes. */
export async function bodyWithin(
  request: IncomingMessage,
  most: number,
  refuse: () => void,
): Promise<Buffer | undefined> {
  try {
    return await readBody(request, most);
  } catch (error) {
    if (error instanceof BodyTooLarge) refuse();
    else if (!(error instanceof ClientGone)) throw error;
    return undefined;
  }
}

/** Deepest nesting of JSON that is read: PHP's own limit, and far from where writing it again would overflow. */
const DEEPEST = 512;

/** Decodes UTF-8 strictly and parses JSON. @throws SyntaxError or TypeError for what is neither, or is too deep */
export function parseJson(body: Buffer): unknown {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  if (isDeeper(value, DEEPEST)) throw new SyntaxError(`JSON nested deeper than ${DEEPEST}`);
  return value;
}

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (most === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object' && isDeeper(inner, most - 1)) return true;
  }
  return false;
}

/** Whether the header says JSON, with or without parameters. */
export function isJsonRequest(request: IncomingMessage): boolean {
  const type = (request.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
  return type === 'application/json';
}

/** Sends a JSON answer. Does nothing when the client is gone. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  send(response, status, 'application/json', JSON.stringify(value), headers);
}

/** Sends a JSON answer to a request that is recorded, and notes it there. */
export function answerJson(
  response: ServerResponse,
  record: { answered(status: number, body: string): void },
  status: number,
  value: unknown,
): void {
  const body = JSON.stringify(value);
  record.answered(status, body);
  send(response, status, 'application/json', body);
}

/** Sends an answer of any kind. Does nothing when the client is gone. */
export function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** A page as a web server in front of the gateway would send it. */
export function htmlPage(title: string): string {
  return `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
}

/** Resolves after a time; at once for 0. A pause alone does not keep the process alive: the server does. */
export function pause(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms).unref()) : Promise.resolve();
}
