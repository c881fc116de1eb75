/** Serves the phone page: files of sandbox/page, nothing from elsewhere. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { htmlPage, send } from './http.mts';

const FOLDER = join(import.meta.dirname, 'page');

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The files to serve, by path: those alone that were in the folder at the start. */
const FILES: Record<string, { file: string; type: string }> = {
  '/': { file: 'index.html', type: TYPES.html },
  '/phone': { file: 'index.html', type: TYPES.html },
  ...Object.fromEntries(
    readdirSync(FOLDER)
      .filter((file) => /\.(css|js|svg)$/.test(file))
      .map((file) => [`/page/${file}`, { file, type: TYPES[file.split('.').at(-1)!] }]),
  ),
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
