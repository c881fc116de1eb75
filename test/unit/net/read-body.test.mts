import fc from 'fast-check';

import { findIn } from '../../../nodes/gateway/net/read-body.ts';

const EVENTS = 'text/event-stream; charset=utf-8';

async function readAll(parts: string[]): Promise<string[]> {
  const texts: string[] = [];
  await findIn(parts, EVENTS, (text) => void texts.push(text));
  return texts;
}

it.each([
  ['one event', 'data: a\n\n', ['a']],
  ['no blank after the colon', 'data:a\n\n', ['a']],
  ['only one blank is taken away', 'data:  a\n\n', [' a']],
  ['several lines', 'data: a\ndata: b\n\n', ['a\nb']],
  ['comments, names and ids', ': hi\nevent: message\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
  ['carriage returns', 'data: a\r\ndata: b\r\n\r\n', ['a\nb']],
  ['the last event without its blank line', 'data: a\n\ndata: b\n', ['a', 'b']],
  ['the last event without its end of line', 'data: a\n\ndata: b', ['a', 'b']],
  ['carriage returns alone', 'data: a\rdata: b\r\rdata: c\r\r', ['a\nb', 'c']],
  ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
  ['events without data', 'event: ping\n\ndata\n\n', ['']],
  ['other fields that look like data', 'dataset: x\n data: y\n\n', []],
  ['nothing', '', []],
])('an event stream is read event by event: %s', async (_, text, events) =>
  expect(await readAll([text])).toEqual(events),
);

it('returns what is in an event as soon as that is complete', async () => {
  const parts = ['data: {"a"', ':1}\n', '\n: and more', 'data: too much'];
  const read: string[] = [];
  function* arriving() {
    for (const part of parts) {
      read.push(part);
      yield part;
    }
  }
  expect(await findIn(arriving(), EVENTS, (text) => text)).toBe('{"a":1}');
  expect(read).toEqual(parts.slice(0, 3));
});

it('reads the same however the stream is cut', async () => {
  const lines = fc.array(
    fc.constantFrom('data: x', 'data:{"y":1}', ': c', '', 'event: m', 'data', 'data: é漢'),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(60)),
      async (all, end, cuts) => {
        const whole = all.map((line) => line + end).join('');
        const places = [...new Set(cuts.map((cut) => Math.min(cut, whole.length)))].sort((a, b) => a - b);
        const parts = [0, ...places].map((from, i) => whole.slice(from, places[i] ?? whole.length));
        expect(await readAll(parts)).toEqual(await readAll([whole]));
      },
    ),
  );
});
