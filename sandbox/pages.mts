/** Serves the phone page: files of sandbox/page, nothing from elsewhere. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { htmlPage, send } from './http.mts';

const FOLDER = join(import.meta.dirname, 'page');

const FILES: Record<string, { file: string; type: string }> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/phone': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/page/phone.css': { file: 'phone.css', type: 'text/css; charset=utf-8' },
  '/page/messages.css': { file: 'messages.css', type: 'text/css; charset=utf-8' },
  '/page/phone.js': { file: 'phone.js', type: 'text/javascript; charset=utf-8' },
  '/page/bubble.js': { file: 'bubble.js', type: 'text/javascript; charset=utf-8' },
  '/page/dom.js': { file: 'dom.js', type: 'text/javascript; charset=utf-8' },
  '/page/picture.svg': { file: 'picture.svg', type: 'image/svg+xml' },
  '/page/icon.svg': { file: 'icon.svg', type: 'image/svg+xml' },
};

// Message texts come from anywhere. The page never builds HTML from them; this is the second lock.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Whether a path belongs to the phone page. */
export function isPagePath(path: string): boolean {
  return Object.hasOwn(FILES, path);
}

/** Answers a request for a file of the phone page. */
export async function handlePage(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    send(response, 405, 'text/html', htmlPage('405 Method Not Allowed'), { allow: 'GET, HEAD' });
    return;
  }
  const { file, type } = FILES[path];
  send(response, 200, type, await readFile(join(FOLDER, file)), {
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
}
