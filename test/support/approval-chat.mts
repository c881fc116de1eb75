import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A button under a message that asks for a decision. */
export interface Choice {
  text: string;
  url: string;
}

export interface ApprovalChat {
  /** Address for the field Base URL of n8n's Telegram credential. */
  url: string;
  /** Waits for so many messages with buttons; gives the buttons of each. @throws Error after 20 seconds */
  choices(count: number): Promise<Choice[][]>;
  close(): Promise<void>;
}

/** A stand-in for a chat on loopback: takes the messages by which n8n asks a person to approve something. */
export async function startChat(): Promise<ApprovalChat> {
  const asked: Choice[][] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = (text === '' ? {} : JSON.parse(text)) as {
        reply_markup?: { inline_keyboard: Choice[][] };
      };
      if (body.reply_markup) asked.push(body.reply_markup.inline_keyboard.flat());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ok: true, result: { message_id: asked.length } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async choices(count) {
      const end = Date.now() + 20_000;
      while (asked.length < count) {
        if (Date.now() > end) throw new Error(`Nobody was asked ${count} times`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return asked;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
