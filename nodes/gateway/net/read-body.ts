/** Characters of one answer that are read: far more than any batch has results for. */
export const ANSWER_CHARACTERS = 64 * 1024 * 1024;

/**
 * Reads an answer, in parts of any size, to the first of its texts in which `find` finds something. These are the data of
 * each server-sent event, as soon as it is complete, or else the whole body: which of the two it is, its beginning says, and
 * the content type only where that may be either. Of an answer with more characters than
 * `most`, nothing more is read. Rejects where its parts do.
 */
export async function findIn<T>(
  parts: Iterable<unknown> | AsyncIterable<unknown>,
  contentType: string,
  find: (text: string) => T | undefined,
  most = ANSWER_CHARACTERS,
): Promise<T | undefined> {
  const isDeclared = /^\s*text\/event-stream\b/i.test(contentType);
  for await (const text of textsOf(parts, isDeclared, most)) {
    const found = find(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a stream of events begins with, and what is certainly none. */
const EVENT_LINE = /^[\s\ufeff]*(?::|(?:data|event|id|retry)[:\r\n])/;
const NO_EVENT = /^[\s\ufeff]*["<[{]/;

/** Characters that say whether it is one; more aren't looked at. */
const BEGINNING = 4096;

/** Whether a body is a stream of events; undefined where what has come of it doesn't say so yet. */
function isEventStream(body: string, isDeclared: boolean): boolean | undefined {
  const beginning = body.slice(0, BEGINNING);
  if (EVENT_LINE.test(beginning)) return true;
  if (NO_EVENT.test(beginning)) return false;
  return body.length < BEGINNING ? undefined : isDeclared;
}

async function* textsOf(
  parts: Iterable<unknown> | AsyncIterable<unknown>,
  isDeclared: boolean,
  most: number,
) {
  const events = new EventReader();
  let length = 0;
  let whole = '';
  let hasEvents: boolean | undefined;
  for await (const value of parts) {
    const part = String(value);
    length += part.length;
    if (length > most) return;
    if (hasEvents) {
      yield* events.read(part);
      continue;
    }
    whole += part;
    hasEvents ??= isEventStream(whole, isDeclared);
    if (hasEvents) yield* events.read(whole);
  }
  if (hasEvents ?? isDeclared) yield* events.end(hasEvents ? '' : whole);
  else yield whole;
}

/** Takes apart a stream of server-sent events, whose lines end with CR, LF or both. */
class EventReader {
  /** The beginning of a line. */
  private rest = '';
  private data: string[] = [];

  /** Whether the last line ended with CR, so that LF would belong to it. */
  private endsWithCr = false;

  /** Returns the data of the events that are complete with this part. */
  read(part: string): string[] {
    const text = this.endsWithCr && part.startsWith('\n') ? part.slice(1) : part;
    if (part !== '') this.endsWithCr = part.endsWith('\r');
    this.rest += text;
    // Split only where a line ends, so that a long one takes a time in proportion to its length.
    if (!/[\r\n]/.test(text)) return [];
    const lines = this.rest.split(/\r\n|\r|\n/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.take(line));
  }

  /** Returns the data of an event that the end of the answer completes. */
  end(part: string): string[] {
    return [...this.read(part), ...this.take(this.rest), ...this.take('')];
  }

  private take(line: string): string[] {
    // Comments, names, ids and retry times mean nothing to a JSON-RPC client.
    const field = /^\uFEFF?data(?:: ?(.*))?$/s.exec(line);
    if (field) this.data.push(field[1] ?? '');
    if (line !== '' || this.data.length === 0) return [];
    const text = this.data.join('\n');
    this.data = [];
    return [text];
  }
}
