/**
 * A gateway on loopback, written from the contract (gateway-api.md), whose answers are told apart from what it does: it
 * counts what it takes, and a conduct says what it answers. It ends with `close`.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Operation {
  type: string;
  id: number;
  phone?: number;
}

/** The result of one operation as the contract shows it. */
export interface Result {
  success: boolean;
  error?: string;
  data?: Record<string, unknown>;
}

/** What comes back for a request; undefined: the connection breaks. */
export type Reply = { code?: number; body: string | object } | undefined;

/** What it does with requests to send and with questions about a status. */
export interface Conduct {
  send(gateway: HostileGateway, operations: Operation[]): Reply;
  status?(gateway: HostileGateway, operations: Operation[]): Reply;
}

export const success = (data: Result[], code = 200): Reply => ({ code, body: { success: true, data } });
export const refusal = (error: string, code = 200): Reply => ({ code, body: { success: false, error } });
/** An answer of something in front of it. */
export const wordless = (code: number): Reply => ({ code, body: '' });

export class HostileGateway {
  /** How often it took a message, by number. */
  readonly taken = new Map<number, number>();

  /** What `status` tells, by id. */
  readonly log = new Map<number, Record<string, unknown>>();

  /** Requests to send, and questions. */
  readonly requests: Array<{ kind: 'send' | 'status'; count: number }> = [];

  url = '';

  private readonly conduct: Conduct;

  private readonly server: Server;

  constructor(conduct: Conduct) {
    this.conduct = conduct;
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get sends(): number {
    return this.requests.filter(({ kind }) => kind === 'send').length;
  }

  /** Takes a message, which is paid for. Returns its result. */
  take({ id, phone = 0, type }: Operation): Result {
    this.taken.set(phone, (this.taken.get(phone) ?? 0) + 1);
    const msg_id = 7_000_000 + this.log.size;
    this.log.set(id, { id, msg_id, type, status: 'ACCEPTED' });
    return { success: true, data: { id, msg_id, parts: 1 } };
  }

  /** Refuses a message; writes it down in that state, if one is given. Returns its result. */
  refuse({ id, type }: Operation, error: string, state?: string | number): Result {
    if (state !== undefined) this.log.set(id, { id, type, status: state });
    return { success: false, error, data: { id } };
  }

  /** What it honestly says of messages. */
  statuses(operations: Operation[]): Result[] {
    return operations.map(({ id }) => {
      const data = this.log.get(id);
      return data ? { success: true, data } : { success: false, error: 'Message not found', data: { id } };
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { data = [] } = JSON.parse(Buffer.concat(parts).toString() || '{}') as { data?: Operation[] };
    const kind = data.every(({ type }) => type === 'status') ? 'status' : 'send';
    this.requests.push({ kind, count: data.length });
    const { send, status = (gateway, all) => success(gateway.statuses(all)) } = this.conduct;
    const reply = (kind === 'send' ? send : status)(this, data);
    if (reply === undefined) {
      request.socket.destroy();
      return;
    }
    const { code = 200, body } = reply;
    const isText = typeof body === 'string';
    response.writeHead(code, { 'content-type': isText ? 'text/html' : 'application/json' });
    response.end(isText ? body : JSON.stringify(body));
  }
}
