/** What passes between the node and a gateway. */
export type Endpoint = 'sync' | 'async';

export interface Message {
  type: string;
  id: number;
}

export interface Operation extends Message {
  phone: number;
}

export interface Item {
  success: boolean;
  error?: string;
  data: Record<string, unknown>;
}

/** An answer, as n8n's request helper returns it, or the code of the error that it throws. */
export type Reply = { statusCode: number; headers: Record<string, string>; body: string } | { code: string };

const answer = (statusCode: number, type: string, body: string) => ({
  ...{ statusCode, body },
  headers: { 'content-type': type } as Record<string, string>,
});

export const json = (body: unknown): Reply => answer(200, 'application/json', JSON.stringify(body));

export const refusal = (error: string): Reply => json({ success: false, error });

/** A page of something in front of the gateway. */
export function page(status: number, retryAfter?: number): Reply {
  const reply = answer(status, 'text/html', '<html><body>Gateway</body></html>');
  if (retryAfter !== undefined) reply.headers['retry-after'] = String(retryAfter);
  return reply;
}

/** An answer that breaks off after so many characters. */
export const cut = (body: unknown, length: number): Reply =>
  answer(200, 'application/json', JSON.stringify(body).slice(0, length));
