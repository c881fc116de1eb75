/** Things that go wrong on purpose, switched on by a person who wants to watch a workflow cope. */
import { call } from './do.js';
import { button, el } from './dom.js';
import { reconcile } from './reconcile.js';
import * as store from './store.js';

/** What can be switched on: a caption, what it means for the client, and the plan of the sandbox. */
const PRESETS = [
  {
    caption: 'Slow',
    said: 'Messages are taken at once; the answer comes after 5 seconds.',
    plan: { kind: 'slow', delayMs: 5000 },
  },
  {
    caption: 'Answer lost',
    said: 'Messages are taken, then the connection breaks.',
    plan: { kind: 'drop-after' },
  },
  {
    caption: 'Request lost',
    said: 'The connection breaks before anything is taken.',
    plan: { kind: 'drop-before' },
  },
  {
    caption: 'Late',
    said: 'Answers 504 now and takes the messages 5 seconds later.',
    plan: { kind: 'status-before', status: 504, commitDelay: 5000 },
  },
  {
    caption: 'Gateway error',
    said: 'Answers 502; nothing is taken.',
    plan: { kind: 'status-before', status: 502 },
  },
  {
    caption: 'Taken, then an error',
    said: 'Messages are taken; the answer is a 500 all the same.',
    plan: { kind: 'status-after', status: 500, error: 'Internal server error' },
  },
  {
    caption: 'Taken, then refused',
    said: 'Messages are taken; the answer refuses the whole request all the same, in the words below.',
    plan: { kind: 'refuse-after' },
  },
  {
    caption: 'Held, broken, taken later',
    said: 'The connection breaks after 31 seconds; the messages are taken 3 seconds after that.',
    plan: { kind: 'drop-before', holdMs: 31_000, commitDelay: 34_000 },
  },
  {
    caption: 'Arrives twice',
    said: 'Something on the way repeats the request; the answer is that to the copy.',
    plan: { kind: 'repeated' },
  },
  {
    caption: 'Only acknowledged',
    said: 'Messages are taken; the answer has a request_id only, as from a queue.',
    plan: { kind: 'acknowledged' },
  },
  {
    caption: 'Messages refused',
    said: 'Each message is refused with “Internal error”.',
    plan: { kind: 'refuse-items' },
  },
  {
    caption: 'Request refused',
    said: 'The whole request is refused with “Internal error”.',
    plan: { kind: 'refuse' },
  },
  {
    caption: 'Too many requests',
    said: 'Answers 429 and asks to wait for 2 seconds.',
    plan: { kind: 'rate-limit', retryAfter: 2 },
  },
  {
    caption: 'A web page instead',
    said: 'Messages are taken; the answer is a sign-in page.',
    plan: { kind: 'html-after' },
  },
];

const TIMES = [
  ['1', 'the next request'],
  ['3', 'the next 3 requests'],
  ['', 'every request'],
];

/** What a person may add to any of them: label, unit, attributes of the field, and what it adds to the plan. */
const EXTRAS = [
  { label: 'In these words', unit: '', field: { type: 'text' }, add: (error) => ({ error }) },
  {
    label: 'Part taken',
    unit: '%',
    field: { type: 'number', min: '0', max: '100' },
    add: (part) => ({ takes: Number(part) / 100 }),
  },
];

/** Settings of the sandbox that make it slow or forgetful: label, value of now, and the change. */
const SETTINGS = [
  {
    label: 'Each answer takes',
    unit: 'ms',
    read: ({ latencyMs }) => latencyMs,
    change: (latencyMs) => ({ latencyMs }),
  },
  {
    label: 'Status unknown for',
    unit: 'ms',
    read: ({ statusLag }) => statusLag,
    change: (statusLag) => ({ statusLag }),
  },
  {
    label: 'Automatic delivery after',
    unit: 'ms',
    read: ({ outcomes }) => (Array.isArray(outcomes.afterMs) ? outcomes.afterMs[0] : outcomes.afterMs),
    change: (afterMs) => ({ outcomes: { afterMs } }),
  },
  {
    label: 'Callbacks in any order within',
    unit: 'ms',
    read: ({ callbacks }) => callbacks.shuffleMs,
    change: (shuffleMs) => ({ callbacks: { shuffleMs } }),
  },
];

/** Automatic callbacks: sent as they should be, twice, or never. */
const CALLBACKS = [
  ['once', 'Sent once', { duplicateShare: 0, neverShare: 0 }],
  ['twice', 'Sent twice', { duplicateShare: 1, neverShare: 0 }],
  ['never', 'Lost', { duplicateShare: 0, neverShare: 1 }],
];

function presets(times, extras) {
  return el(
    'ul',
    { class: 'presets' },
    PRESETS.map(({ caption, said, plan }) =>
      el(
        'li',
        {},
        el('div', {}, el('strong', {}, caption), el('span', { class: 'small' }, said)),
        button('Switch on', {
          'aria-label': `Switch on: ${caption}`,
          onclick: () => {
            const limit = times.value === '' ? {} : { times: Number(times.value) };
            const added = extras.filter(({ input }) => input.value !== '' && input.validity.valid);
            const more = added.map(({ add, input }) => add(input.value));
            void call('POST', 'faults', Object.assign({}, plan, limit, ...more));
          },
        }),
      ),
    ),
  );
}

function nameOf(plan) {
  const { times: _times, error: _error, takes: _takes, ...bare } = plan;
  const known = PRESETS.find(
    ({ plan: { error: _said, ...known } }) => JSON.stringify(sorted(known)) === JSON.stringify(sorted(bare)),
  );
  return known?.caption ?? [plan.kind].flat().join(' or ');
}

const sorted = (plan) => Object.entries(plan).sort(([a], [b]) => (a < b ? -1 : 1));

function activeRow({ number, plan, struck }) {
  const left = plan.times === undefined ? 'until switched off' : `${Math.max(0, plan.times - struck)} to go`;
  const isOver = plan.times !== undefined && struck >= plan.times;
  const caption = isOver ? 'Remove' : 'Switch off';
  return el(
    'li',
    { class: isOver ? 'done' : 'on' },
    el(
      'div',
      {},
      el('strong', {}, nameOf(plan)),
      el('span', { class: 'small' }, `${struck === 1 ? 'Struck once' : `Struck ${struck} times`}, ${left}`),
    ),
    button(caption, {
      'aria-label': `${caption}: ${nameOf(plan)}`,
      'data-focus': 'off',
      onclick: () => call('DELETE', `faults/${number}`),
    }),
  );
}

/** A field that adds something to the fault that is switched on. */
function extraField({ label, unit, field, add }) {
  const input = el('input', field);
  const row = el(
    'label',
    { class: 'field' },
    el('span', {}, label),
    input,
    el('span', { class: 'small' }, unit),
  );
  return { input, row, add };
}

function numberField({ label, unit, change }) {
  const input = el('input', {
    type: 'number',
    min: '0',
    step: '100',
    onchange: () => {
      if (input.value !== '' && input.validity.valid)
        void call('POST', 'config', change(Number(input.value)));
    },
  });
  return {
    input,
    row: el('label', { class: 'field' }, el('span', {}, label), input, el('span', { class: 'small' }, unit)),
  };
}

/** The tab of faults and of settings that make life hard. */
export function faultsTab() {
  const times = el(
    'select',
    { 'aria-label': 'How often' },
    TIMES.map(([value, caption]) => new Option(caption, value)),
  );
  const active = el('ul', { class: 'presets active-faults', 'aria-label': 'Faults that are on' });
  const none = el('p', { class: 'small' }, 'No fault is on: every request is answered as it should be.');
  const late = el('p', { class: 'small bad', role: 'status' });
  const extras = EXTRAS.map(extraField);
  const fields = SETTINGS.map((setting) => ({ ...setting, ...numberField(setting) }));
  const sent = el(
    'select',
    {},
    CALLBACKS.map(([value, caption]) => new Option(caption, value)),
  );
  sent.addEventListener('change', () => {
    const [, , outcomes] = CALLBACKS.find(([value]) => value === sent.value);
    void call('POST', 'config', { outcomes });
  });
  const element = el(
    'div',
    { class: 'tab' },
    el('h2', {}, 'Faults'),
    active,
    none,
    late,
    el('div', { class: 'field' }, el('span', {}, 'A fault strikes'), times),
    extras.map(({ row }) => row),
    presets(times, extras),
    el('h2', {}, 'Pace'),
    fields.map(({ row }) => row),
    el('label', { class: 'field' }, el('span', {}, 'Automatic callbacks'), sent),
  );
  const update = () => {
    const { situation } = store;
    if (!situation) return;
    reconcile(
      active,
      situation.faults.map((fault) => ({
        key: String(fault.number),
        version: JSON.stringify(fault),
        make: () => activeRow(fault),
      })),
    );
    none.hidden = situation.faults.length > 0;
    const items = situation.late.reduce((sum, batch) => sum + batch.items, 0);
    late.textContent =
      items === 0 ? '' : `${items === 1 ? '1 message' : `${items} messages`} will be taken late.`;
    for (const { input, read } of fields) {
      if (document.activeElement !== input) input.value = String(read(situation));
    }
    const { duplicateShare, neverShare } = situation.outcomes;
    sent.value = neverShare > 0 ? 'never' : duplicateShare > 0 ? 'twice' : 'once';
  };
  return { element, update };
}
