import { emptySources } from '../../../nodes/MessagingGateway/run/empty-expressions.ts';

const FORM = [
  { name: 'text', displayName: 'Text' },
  { name: 'sender', displayName: 'Sender' },
  { name: 'options', displayName: 'Options', options: [{ name: 'country', displayName: 'Default Country' }] },
  {
    name: 'pipeline',
    displayName: 'Channels',
    options: [{ name: 'stages', values: [{ name: 'message', displayName: 'Message' }] }],
  },
];

const stages = (...messages: string[]) => ({ pipeline: { stages: messages.map((message) => ({ message })) } });

it.each<[parameters: object, label: string, sources: string | undefined]>([
  [{ text: '={{ $json.a }}' }, 'Text', '{{ $json.a }}'],
  [{ text: '={{ $json.a }}\n{{ $json.b }} ' }, 'Text', '{{ $json.a }} and {{ $json.b }}'],
  [{ sender: { __rl: true, mode: 'name', value: '={{ $json.s }}' } }, 'Sender', '{{ $json.s }}'],
  [{ options: { country: '={{ $json.c }}' } }, 'Default Country', '{{ $json.c }}'],
  [stages('={{ $json.m }}', '={{ $json.m }}'), 'Message', '{{ $json.m }}'],
  [stages('={{ $json.m }}', '={{ $json.n }}'), 'Message', undefined],
  [stages('={{ $json.m }}', 'Hello'), 'Message', undefined],
  [{ text: `={{ ${'x'.repeat(80)} }}` }, 'Text', `{{ ${'x'.repeat(57)}…`],
  [{ text: '' }, 'Text', undefined],
  [{ text: '{{ $json.a }}' }, 'Text', undefined],
  [{ text: '=Hello {{ $json.a }}' }, 'Text', undefined],
  [{}, 'Text', undefined],
  [{ text: '={{ $json.a }}' }, '', undefined],
])('says of %j, "%s", what came to nothing: %j', (parameters, label, sources) => {
  expect(emptySources(parameters, FORM, label)).toBe(sources);
});
