/**
 * Reads server-sent events as they come in, in parts of any size. Gives the data of each event that has some;
 * comments, names, ids and retry times mean nothing to a JSON-RPC client.
 */
export class EventStream {
  /** The beginning of a line whose end has not come yet, in pieces. */
  private pieces: string[] = [];

  private data: string[] = [];

  private begun = false;

  /** Takes the next part of the stream; gives the data of the events that it completes. */
  push(part: string): string[] {
    const own = this.begun ? part : part.replace(/^\uFEFF/, '');
    this.begun ||= part !== '';
    const last = this.pieces.at(-1) ?? '';
    this.pieces.push(own);
    if (!/[\r\n]/.test(own) && !last.endsWith('\r')) return [];
    // A carriage return at the very end may be half of a line break, so it stays with the unfinished line.
    const lines = this.pieces.join('').split(/\r\n|\n|\r(?!$)/);
    this.pieces = [lines.pop() ?? ''];
    return lines.flatMap((line) => this.take(line));
  }

  /** Gives the event that the end of the stream completes, if its blank line is missing. */
  end(): string[] {
    const last = this.pieces.join('').replace(/\r$/, '');
    this.pieces = [];
    return [...(last === '' ? [] : this.take(last)), ...this.take('')];
  }

  private take(line: string): string[] {
    if (line === '') {
      const event = this.data.join('\n');
      this.data = [];
      return event === '' ? [] : [event];
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field === 'data') this.data.push(colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, ''));
    return [];
  }
}
