import fc from 'fast-check';

import { eventTexts } from '../../../nodes/gateway/connector/answer.ts';

function readAll(parts: string[]): string[] {
  const textsIn = eventTexts();
  return [...parts.flatMap((part) => textsIn(part)), ...textsIn()];
}

it.each([
  ['one event', 'data: a\n\n', ['a']],
  ['no blank after the colon', 'data:a\n\n', ['a']],
  ['only one blank is taken away', 'data:  a\n\n', [' a']],
  ['several lines', 'data: a\ndata: b\n\n', ['a\nb']],
  ['comments, names and ids', ': hi\nevent: message\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
  ['carriage returns', 'data: a\r\ndata: b\r\n\r\n', ['a\nb']],
  ['old carriage returns', 'data: a\rdata: b\r\r', ['a\nb']],
  ['a missing blank line at the end', 'data: a\n\ndata: b', ['a', 'b']],
  ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
  ['events without data', 'event: ping\n\ndata\n\n', []],
  ['other fields that look like data', 'dataset: x\n data: y\n\n', []],
  ['nothing', '', []],
])('reads %s', (_, text, events) => {
  expect(readAll([text])).toEqual(events);
});

it('gives an event as soon as it is complete', () => {
  const textsIn = eventTexts();
  expect(textsIn('data: {"a"')).toEqual([]);
  expect(textsIn(':1}\n')).toEqual([]);
  expect(textsIn('\n: and more')).toEqual(['{"a":1}']);
});

it('reads the same however the stream is cut', () => {
  const lines = fc.array(
    fc.constantFrom('data: x', 'data:{"y":1}', ': c', '', 'event: m', 'data', 'data: é漢'),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(lines, fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(60)), (all, end, cuts) => {
      const whole = all.map((line) => line + end).join('');
      const places = [...new Set(cuts.map((cut) => Math.min(cut, whole.length)))].sort((a, b) => a - b);
      const parts = [0, ...places].map((from, i) => whole.slice(from, places[i] ?? whole.length));
      expect(readAll(parts)).toEqual(readAll([whole]));
    }),
  );
});
