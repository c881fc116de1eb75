/** Which placeholders come to nothing for an item, by the raw parameters of a node. */
import { compileGaps } from '../../../nodes/MessagingGateway/parameters/gaps.ts';

const ITEM = { name: 'Ann', empty: '', blank: ' \u200b\n', none: null, zero: 0, no: false, deep: { a: '' } };
const gapsIn = (text: string) => compileGaps({ text })(ITEM);

it.each<[text: string, sources: string[]]>([
  ['=Hi {{ $json.empty }}, {{$json.name}}', ['{{ $json.empty }}']],
  ["={{ $json.blank }} {{ $json['no such'] }}", ['{{ $json.blank }}', "{{ $json['no such'] }}"]],
  ['={{ $json.none }}{{ $json.none.deeper }}', ['{{ $json.none }}', '{{ $json.none.deeper }}']],
  ['=Hi {{ $json.deep.a }} {{ $json.deep.b }}', ['{{ $json.deep.a }}', '{{ $json.deep.b }}']],
])('%s has the gaps %j', (text, expected) => {
  expect(gapsIn(text).flatMap(({ sources }) => sources)).toEqual(expected);
});

it.each([
  ['a value, zero, false or an object', '={{ $json.name }}{{ $json.zero }}{{ $json.no }}{{ $json.deep }}'],
  ['what its author lets be empty', "=Hi {{ $json.empty || '' }}{{ $json.empty ?? '' }}"],
  ['what is computed', '=Hi {{ $json.empty.trim() }}{{ $("Other").item.json.empty }}'],
  ['what is no expression', 'Hi {{ $json.empty }}'],
])('no gap is %s', (_, text) => {
  expect(gapsIn(text)).toEqual([]);
});

it('gaps are told by the path of their parameter, and whether it has nothing but placeholders', () => {
  const find = compileGaps({
    smsSignature: { __rl: true, mode: 'name', value: '={{ $json.empty }}' },
    pipeline: { stages: [{ message: 'Hi' }, { message: '=Hi {{ $json.empty }}' }] },
    phone: '={{ $json.empty }}\n{{ $json.none }} ',
  });
  expect(find(ITEM)).toEqual([
    { parameter: 'smsSignature', sources: ['{{ $json.empty }}'] },
    { parameter: 'pipeline.stages.1.message', sources: ['{{ $json.empty }}'] },
    { parameter: 'phone', sources: ['{{ $json.empty }}', '{{ $json.none }}'] },
  ]);
  expect(find({ empty: 'x', none: 'y' })).toEqual([]);
});
