import fc from '../../support/generated.mts';

import { ANSWER_CHARACTERS, findIn } from '../../../nodes/gateway/net/read-body.ts';

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

it.each([
  ['of which the first part is enough', ['data: {"a"', ':1}\n', '\n: and more', 'data: too much']],
  [
    'that is one by its type, since its beginning of 4096 characters says nothing',
    ['x'.repeat(4096), '\n\ndata: {"a":1}\n', '\n', 'data: too much'],
  ],
])('returns what is in an event as soon as that is complete, in a stream %s', async (_, parts) => {
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

it('returns what is in an event that ends with the 4096th character before more comes', async () => {
  const event = '\n\ndata: {"a":1}\n\n';
  function* arriving() {
    yield 'x'.repeat(4096 - event.length) + event;
    throw new Error('The connection broke');
  }
  expect(await findIn(arriving(), EVENTS, (text) => text)).toBe('{"a":1}');
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

describe('a whole body', () => {
  const textsOf = async (parts: string[], contentType: string) => {
    const texts: string[] = [];
    await findIn(parts, contentType, (text) => void texts.push(text));
    return texts;
  };
  const JSON_TYPE = 'application/json';

  it.each<[string, string, string]>([
    ['JSON', '{"data: a\n\n":1}', JSON_TYPE],
    ['JSON whose type says that it is a stream', ' \n{"a":1}', EVENTS],
    ['a page', '\ufeff<html>data: a</html>', EVENTS],
    ['text that is neither, of a type beside that of a stream', 'x'.repeat(5000), `x${EVENTS}`],
    ['text that is neither, of a type that names a stream at its end', 'x', `text/plain; a=${EVENTS}`],
    ['nothing', '', JSON_TYPE],
    ['words before what looks like an event', `so: data: a\n\n`, JSON_TYPE],
    ['a beginning of 4096 blanks', `${' '.repeat(4096)}data: a\n\n`, JSON_TYPE],
  ])('is one text, however it is cut: %s', async (_, body, type) => {
    for (const cut of [1, 2, 4096, body.length]) {
      expect(await textsOf([body.slice(0, cut), body.slice(cut)], type)).toEqual([body]);
    }
  });

  it.each<[string, string, string]>([
    ['whose type says so', `${' '.repeat(4097)}\ndata: a\n\n`, ` ${EVENTS}`],
    ['whose type says something else', '\n data: a\n\n', JSON_TYPE],
    ['that begins with a comment', ':\ndata: a\n\n', JSON_TYPE],
  ])('is no text where it is a stream, %s', async (_, body, type) => {
    // A field that is indented is none, and its event has no data.
    const events = body.includes('\n data') ? [] : ['a'];
    expect(await textsOf([body], type)).toEqual(events);
    expect(await textsOf(Array.from(body), type)).toEqual(events);
  });

  it('a stream may begin with an empty line', async () => {
    expect(await textsOf(['\ndata: a\n\n'], EVENTS)).toEqual(['a']);
    expect(await textsOf(['data: a\r', '', '\ndata: b\n\n'], EVENTS)).toEqual(['a\nb']);
  });

  it('is read up to 64 million characters, and not at all beyond', async () => {
    const part = ' '.repeat(1024 * 1024);
    const lengthOf = async (parts: string[]) => (await textsOf(parts, JSON_TYPE)).map(({ length }) => length);
    const full = Array<string>(64).fill(part);
    expect(await lengthOf(full)).toEqual([ANSWER_CHARACTERS]);
    expect(await lengthOf([...full, ' '])).toEqual([]);
  });
});
