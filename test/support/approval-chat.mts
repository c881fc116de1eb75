import { until } from '../../tools/until.mts';
import { sendJson, startWebServer } from './web-server.mts';

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
  const server = await startWebServer((response, { body }) => {
    const { reply_markup } = (body === '' ? {} : JSON.parse(body)) as {
      reply_markup?: { inline_keyboard: Choice[][] };
    };
    if (reply_markup) asked.push(reply_markup.inline_keyboard.flat());
    sendJson(response, { ok: true, result: { message_id: asked.length } });
  });
  return {
    url: server.url,
    choices: async (count) =>
      await until(20_000, `${count} questions`, () => (asked.length < count ? undefined : asked)),
    close: server.close,
  };
}
