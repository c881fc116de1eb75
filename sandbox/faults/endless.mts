/** Answers that are far too long, or never come to an end. */
import type { ServerResponse } from 'node:http';

/** Sends well-formed beginnings of JSON until the size is reached or the client goes away. */
export function sendLong(response: ServerResponse, bytes: number): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let left = bytes;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"padding":"');
  const more = () => {
    for (; left > 0; left -= chunk.length) {
      if (response.destroyed) return;
      if (!response.write(chunk)) {
        response.once('drain', more);
        left -= chunk.length;
        return;
      }
    }
    response.end('"}');
  };
  more();
}

/** An event stream that stays open with comments and never brings the answer. */
export function sendComments(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => response.write(': still working\n\n'), 50);
  response.once('close', () => clearInterval(timer));
}
