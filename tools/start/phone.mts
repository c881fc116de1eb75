/** A message as the sandbox tells it (sandbox/README.md, "Control API"). */
export interface PhoneMessage {
  msgId: number;
  id: number;
  phone: number;
  type: string;
  status: string;
  operation: Record<string, unknown>;
}

/** The sandbox phone in the hands of a person, over its control API. */
export class Phone {
  private readonly controlUrl: string;

  /** @param controlUrl address of the control API without a slash at the end */
  constructor(controlUrl: string) {
    this.controlUrl = controlUrl;
  }

  /** The newest message on a number. @throws Error when there is none */
  async newest(number: string): Promise<PhoneMessage> {
    const messages = await this.call<PhoneMessage[]>(`messages?phone=${number}`);
    const message = messages.at(-1);
    if (!message) throw new Error(`The sandbox phone has no message for ${number}`);
    return message;
  }

  /** Says what became of a message, by a status such as DELIVERED; the sandbox sends the callback for it. */
  async mark(msgId: number, status: string): Promise<void> {
    await this.call(`messages/${msgId}/status`, { status });
  }

  private async call<T>(path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.controlUrl}/${path}`, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`The sandbox answered ${response.status} to ${path}: ${text.slice(0, 200)}`);
    return JSON.parse(text) as T;
  }
}
