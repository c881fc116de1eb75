/**
 * Reads server-sent events as they arrive, in parts of any size. Returns the data of each event that has any;
 * comments, names, ids and retry times mean nothing to a JSON-RPC client.
 */
export class EventStream {
  /** The beginning of a line whose end has not arrived yet, in pieces. */
  private pieces: string[] = [];

  private data: string[] = [];

  private begun = false;

  /** Takes the next part of the stream; returns the data of the events that it completes. */
  push(part: string): string[] {
    const text = this.begun ? part : part.replace(/^\uFEFF/, '');
    this.begun ||= part !== '';
    const last = this.pieces.at(-1) ?? '';
    this.pieces.push(text);
    if (!/[\r\n]/.test(text) && !last.endsWith('\r')) return [];
    return this.takeLines(this.pieces.join(''));
  }

  /** Returns the event that the end of the stream completes, if its blank line is missing. */
  end(): string[] {
    const last = this.pieces.join('').replace(/\r$/, '');
    const events: string[] = [];
    this.pieces = [];
    if (last !== '') this.take(last, events);
    this.take('', events);
    return events;
  }

  /** Takes all lines of a text that are complete, and keeps the rest. */
  private takeLines(text: string): string[] {
    const events: string[] = [];
    let from = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text[i];
      if (unit !== '\n' && unit !== '\r') continue;
      // A carriage return at the very end may be half of a line break, so it stays with the unfinished line.
      if (unit === '\r' && i === text.length - 1) break;
      this.take(text.slice(from, i), events);
      if (unit === '\r' && text[i + 1] === '\n') i += 1;
      from = i + 1;
    }
    this.pieces = [text.slice(from)];
    return events;
  }

  /** Takes a line; adds the event that it completes. */
  private take(line: string, events: string[]): void {
    if (line === '') {
      if (this.data.length === 0) return;
      const event = this.data.join('\n');
      this.data = [];
      if (event !== '') events.push(event);
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field === 'data') this.data.push(colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, ''));
  }
}
