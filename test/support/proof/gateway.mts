/**
 * A gateway for the proof, written from gateway-api.md: strict about what it gets, and counting every message. The sender
 * of a message (`sms_signature`) chooses how the gateway behaves, so that many cases run beside each other.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { sendJson, startWebServer } from '../web-server.mts';
import type { Received } from '../web-server.mts';

export const KEY = 'proof-key';

/** How the gateway behaves to the messages of one sender. */
export interface Conduct {
  /** Which part of each request it takes, from 0 to 1. */
  share: number;
  /** It refuses each request in these words, whatever it took. */
  refusal?: string;
  /** It holds the first request so long and breaks the exchange; takes its share so long after that, or never. Milliseconds. */
  hold?: { for: number; takesAfter?: number; by: 'reset' | 502 | 503 };
  /** Something on the way repeats each request; the client gets the answer to the copy. */
  repeats?: true;
  refusesDuplicates?: true;
  /** The synchronous endpoint answers like the queue. */
  acknowledges?: true;
  /** What `status` says of an id that it doesn't know. */
  absence: string;
  /** Milliseconds before `status` knows what was taken. */
  lag: number;
}

interface Operation {
  type: string;
  id: number;
  phone: number;
  sms_signature: string;
}

interface Message {
  phone: number;
  /** The requests that took it: a copy that something on the way made is the same request. */
  takenBy: Set<number>;
  knownAt: number;
}

export interface ProofGateway {
  readonly url: string;
  /** What the contract doesn't allow and came all the same. */
  readonly breaches: string[];
  /** Sets how it behaves to a sender. */
  behave(sender: string, conduct: Conduct): void;
  /** Phone numbers of the sender's messages, each with the number of requests that took it. */
  taken(sender: string): Map<number, number>;
  /** Requests to send that came from a sender. */
  requests(sender: string): number;
  close(): Promise<void>;
}

/** Starts one on loopback. */
export async function startProofGateway(): Promise<ProofGateway> {
  const desk = new Desk();
  const { url, close } = await startWebServer(
    async (response, request) => await desk.handle(request, response),
  );
  return {
    url,
    breaches: desk.breaches,
    behave: (sender, conduct) => void desk.conducts.set(sender, conduct),
    taken: (sender) => desk.taken(sender),
    requests: (sender) => desk.requests.get(sender) ?? 0,
    close,
  };
}

class Desk {
  readonly conducts = new Map<string, Conduct>();

  readonly breaches: string[] = [];

  readonly requests = new Map<string, number>();

  /** By sender, then by id. */
  private readonly messages = new Map<string, Map<number, Message>>();

  /** The sender of each id that was ever seen. */
  private readonly senders = new Map<number, string>();

  private serial = 0;

  taken(sender: string): Map<number, number> {
    const messages = [...(this.messages.get(sender)?.values() ?? [])];
    return new Map(messages.map(({ phone, takenBy }) => [phone, takenBy.size]));
  }

  async handle(request: Received, response: ServerResponse): Promise<void> {
    const operations = this.read(request);
    if (operations?.[0].type === 'status') return sendJson(response, this.tellStatus(operations));
    const sender = operations?.[0].sms_signature ?? '';
    const conduct = this.conducts.get(sender);
    if (!operations || !conduct) return sendJson(response, { success: false, error: 'Access denied' });
    for (const { id } of operations) this.senders.set(id, sender);
    const count = (this.requests.get(sender) ?? 0) + 1;
    this.requests.set(sender, count);
    this.serial += 1;
    const { serial } = this;
    if (conduct.hold && count === 1) return await this.hold(response, conduct, { serial, operations });
    const work = (): unknown => this.work(conduct, { serial, operations });
    const body = conduct.repeats ? (work(), work()) : work();
    await sleep(20);
    sendJson(response, body);
  }

  /** The operations of a request, or undefined where the contract doesn't allow it. */
  private read({ method, url, headers, body }: Received): Operation[] | undefined {
    const breach = (words: string): undefined => void this.breaches.push(words);
    if (method !== 'POST' || url !== '/api/json.php') return breach(`${method} ${url}`);
    if (headers['content-type'] !== 'application/json')
      return breach(`content type ${headers['content-type']}`);
    const { auth, data } = JSON.parse(body) as { auth: unknown; data: Operation[] };
    if (auth !== KEY) return breach('another key');
    if (!Array.isArray(data) || data.length === 0) return breach('no operations');
    const [{ type }] = data;
    for (const operation of data) {
      const { id, phone, sms_signature: sender } = operation;
      if (!Number.isSafeInteger(id)) return breach(`id ${String(id)}`);
      if (operation.type !== type) return breach(`${operation.type} beside ${type}`);
      if (type === 'status') continue;
      if (type !== 'sms') return breach(`operation ${type}`);
      if (!Number.isSafeInteger(phone)) return breach(`phone ${String(phone)}`);
      if (sender !== data[0].sms_signature) return breach('two senders in one request');
    }
    return data;
  }

  /** Works on a request once: takes its part, and returns what the gateway says. */
  private work(
    conduct: Conduct,
    { serial, operations }: { serial: number; operations: Operation[] },
  ): unknown {
    const { share, refusal, refusesDuplicates, acknowledges, lag } = conduct;
    const [{ sms_signature: sender }] = operations;
    const messages = this.messages.get(sender) ?? new Map<number, Message>();
    this.messages.set(sender, messages);
    const most = Math.floor(share * operations.length);
    const data = operations.map(({ id, phone }, i) => {
      const before = messages.get(id);
      if (before && refusesDuplicates) return { success: false, error: 'Повторный id', data: { id } };
      if (i < most) {
        if (before) before.takenBy.add(serial);
        else messages.set(id, { phone, takenBy: new Set([serial]), knownAt: Date.now() + lag });
      }
      return { success: true, data: { id, msg_id: messageId(id), parts: 1 } };
    });
    if (refusal !== undefined) return { success: false, error: refusal };
    return acknowledges ? { success: true, request_id: `q${serial}` } : { success: true, data };
  }

  private async hold(
    response: ServerResponse,
    conduct: Conduct,
    request: { serial: number; operations: Operation[] },
  ): Promise<void> {
    const { for: time, takesAfter, by } = conduct.hold ?? { for: 0, by: 'reset' };
    await sleep(time);
    if (by === 'reset') response.socket?.destroy();
    else response.writeHead(by, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    if (takesAfter === undefined) return;
    await sleep(takesAfter);
    this.work(conduct, request);
  }

  private tellStatus(operations: Operation[]): unknown {
    const sender = operations.map(({ id }) => this.senders.get(id)).find((name) => name !== undefined);
    const { absence = 'Not found' } = this.conducts.get(sender ?? '') ?? {};
    const data = operations.map(({ id }) => {
      const message = this.messages.get(this.senders.get(id) ?? '')?.get(id);
      return message && message.knownAt <= Date.now()
        ? { success: true, data: { id, msg_id: messageId(id), type: 'sms', status: 'ACCEPTED' } }
        : { success: false, error: absence, data: { id } };
    });
    return { success: true, data };
  }
}

const messageId = (id: number): string => `m${id}`;
