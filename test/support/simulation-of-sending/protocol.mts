/** What passes between a client and a gateway. */
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';

export type { Endpoint } from '../../../nodes/gateway/client/transport.ts';

export interface Message {
  type: string;
  id: number;
}

export interface Operation extends Message {
  [field: string]: unknown;
}

export interface Item {
  success: boolean;
  error?: string;
  data: Record<string, unknown>;
}

export type Reply = Answer | NoAnswer;

const answer = (status: number, contentType: string, body: string) =>
  ({ kind: 'answer', status, contentType, body }) as const;

export const json = (body: unknown): Reply => answer(200, 'application/json', JSON.stringify(body));

export const refusal = (error: string): Reply => json({ success: false, error });

/** A page of something in front of the gateway. */
export const page = (status: number, retryAfter?: number): Reply => ({
  ...answer(status, 'text/html', '<html><body>Gateway</body></html>'),
  ...(retryAfter !== undefined && { retryAfter }),
});

/** An answer that breaks off after so many characters. */
export const cut = (body: unknown, length: number): Reply =>
  answer(200, 'application/json', JSON.stringify(body).slice(0, length));

export const failure = (problem: NoAnswer['problem']): Reply => ({ kind: 'failure', problem });
