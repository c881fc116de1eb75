import type { SandboxMessage } from './types.mts';

/**
 * What was accepted. Full messages up to a limit, counters for all: a message that was accepted twice under
 * one `id` has to be countable even after a million others.
 */
export class Messages {
  private readonly byMsgId = new Map<number, SandboxMessage>();

  private readonly newestById = new Map<string, SandboxMessage>();

  private counts = new Map<number, number>();

  private total = 0;

  /** Messages accepted since the start or the last reset. */
  get accepted(): number {
    return this.total;
  }

  /** The messages still kept, oldest first. */
  list(): SandboxMessage[] {
    return [...this.byMsgId.values()];
  }

  /**
   * Counts a message and keeps it within the limit.
   * @param keep most messages kept in full
   * @param counted whether acceptances of this `id` are counted
   */
  add(message: SandboxMessage, keep: number, counted: boolean): void {
    this.total += 1;
    if (counted) this.counts.set(message.id, (this.counts.get(message.id) ?? 0) + 1);
    if (keep <= 0) return;
    this.byMsgId.set(message.msgId, message);
    this.newestById.set(`${message.account}:${message.id}`, message);
    while (this.byMsgId.size > keep) {
      const [oldest] = this.byMsgId.values();
      this.byMsgId.delete(oldest.msgId);
      const key = `${oldest.account}:${oldest.id}`;
      if (this.newestById.get(key) === oldest) this.newestById.delete(key);
    }
  }

  /** The message of a gateway identifier. */
  get(msgId: number): SandboxMessage | undefined {
    return this.byMsgId.get(msgId);
  }

  /** The newest message that an account sent under a client identifier. */
  ofAccount(account: string, id: number): SandboxMessage | undefined {
    return this.newestById.get(`${account}:${id}`);
  }

  /** All kept messages with a client identifier, oldest first. */
  byId(id: number): SandboxMessage[] {
    return this.list().filter((message) => message.id === id);
  }

  /** All kept messages to a phone, oldest first. */
  byPhone(phone: number): SandboxMessage[] {
    return this.list().filter((message) => message.phone === phone);
  }

  /** How often messages with this client identifier were accepted. */
  acceptances(id: number): number {
    return this.counts.get(id) ?? 0;
  }

  /** Client identifiers accepted more than once, with how often. */
  doubled(): Array<[id: number, times: number]> {
    return [...this.counts].filter(([, times]) => times > 1);
  }

  /** How many different client identifiers were accepted. */
  get distinct(): number {
    return this.counts.size;
  }

  /** Forgets everything. */
  clear(): void {
    this.byMsgId.clear();
    this.newestById.clear();
    this.counts = new Map();
    this.total = 0;
  }
}
