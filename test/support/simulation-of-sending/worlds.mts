/**
 * Gateways made by hand. Each is a plain object: what it does beside what the contract says, and what no client can keep
 * with it. Ordinary ones follow the contract, with the faults that networks have; odd ones don't; hostile ones lie.
 */

/**
 * What a client promises, each a judge of its own (judge.mts): `accepted` is what was taken, and a `duplicate`, by whatever run; `refused` and not sent is what
 * wasn't; a row is taken `once` in its execution, and its `key` once in all; each row has a `result`; nothing leaves after a
 * `stop`; and it comes to an end, in `requests` and in `time`.
 */
export type Promised =
  | 'accepted'
  | 'duplicate'
  | 'refused'
  | 'once'
  | 'key'
  | 'result'
  | 'stop'
  | 'requests'
  | 'time';

/** What comes back for a request that goes wrong: a break, an HTTP code (with `Retry-After`), a senseless body, or words. */
type Says =
  | 'reset'
  | 'timeout'
  | 'unreached'
  | 'denied'
  | `${number}`
  | `${number} ${number}`
  | 'html'
  | 'cut'
  | 'empty'
  | 'short'
  | 'mixed'
  | 'words'
  | 'fault words'
  | 'no words'
  | 'row words'
  | 'row fault words'
  | 'duplicate words';

/** What the gateway takes of such a request: `late` at some time after it. */
export type Fault = `${Says}/${'none' | 'half' | 'all' | 'late'}`;

/** How `status` answers; where nothing else is said, it knows what was taken after less than two seconds. */
export interface StatusManners {
  lagSeconds?: number;

  /** What it says of an id that it doesn't know: an error, one that names the id, or a success. */
  unknown?: 'error' | 'error with id' | 'success';

  /** Words that it has for every id, known or not. */
  blind?: string;

  /** Fields that differ in each answer. */
  noise?: 'time' | 'trace';

  /** How much of an id its table holds. */
  cut?: '32 bits' | '6 digits';

  /** Most ids in one question, and how it answers more. */
  most?: number;
  mostSays?: 'words' | '413' | 'first ones';

  /** How often it isn't there, how often it overlooks a message, and for how long a new message is like an unknown one. */
  down?: number;
  forgets?: number;
  hiddenSeconds?: number;
  denied?: boolean;

  /** A state that nobody has listed. */
  ownState?: string;

  /** Types of which it knows nothing. */
  lacks?: readonly string[];
}

export interface World {
  name: string;
  kind: 'ordinary' | 'odd' | 'hostile';

  /** What happens to a request that goes wrong. */
  faults?: readonly Fault[];

  /** What happens to each request; `untilSeconds`: until then only. */
  always?: Fault;
  untilSeconds?: number;

  /** When the gateway takes what it takes late: one of these. */
  lateSeconds?: readonly number[];

  /** After how long `status` knows what is in its queue. */
  queueSeconds?: number;

  /** Most rows in a request. */
  most?: number;
  mostSays?: '413' | 'words';

  /** A limiter, with `Retry-After` or without. */
  rowsPerSecond?: number;
  retryAfter?: number;

  /** What a row that can't be sent does to its request: its own result says so, or all are refused, or a firewall answers. */
  badRow?: 'row' | 'request' | '403';

  /** For how many rows there is money, and what is refused after that. */
  money?: number;
  noMoney?: 'row' | 'request';

  /** Whether it takes what it refuses in words or by a code where `status` doesn't show that: in a queue, and calls. */
  liesUnseen?: boolean;

  /** Whether an id that it has is refused. */
  refusesRepeated?: boolean;

  /** What its log holds of what it refuses. */
  logsRefused?: 'FAILED' | 'REJECTED';
  status?: StatusManners;

  /** What no client keeps here, with the sentence of docs/delivery-guarantees.md that says so. */
  breaks?: Partial<Record<Promised, string>>;
}

const BREAKS: readonly Fault[] = ['reset/none', 'reset/all', 'reset/half', '502/none', '502/all'];

export const BLIND =
  'While `status` says of every id that it does not have it, a key is not recognized by a process that has sent nothing yet.';
export const TOO_LATE =
  'A gateway that takes a broken request after more than two minutes may be sent it twice.';
export const FORGETFUL = 'A `status` that overlooks some messages and knows others may get a message twice.';
export const LIAR = 'A message that is taken and refused in plain words is reported as refused.';
export const DIGITS =
  'A `status` that keeps a few digits of an id says of a message what is true of another.';
export const LOGGED =
  'Where refusals are logged as FAILED, a refused message whose answer was lost counts as accepted, with the outcome failed, and so does its key.';
export const UNSEEN =
  "A request that is refused and taken may leave twice where `status` doesn't know such messages: in a queue, and calls.";
export const LAGGING =
  'A `status` that knows a message only after seconds, behind a refusal that came after the take.';

export const WORLDS: readonly World[] = [
  { name: 'follows the contract', kind: 'ordinary' },
  { name: 'connections break', kind: 'ordinary', faults: BREAKS },
  {
    name: 'a front answers 502, 503, 504',
    kind: 'ordinary',
    faults: ['502/none', '502/all', '503/none', '503/half', '504/none', '504/all', '408/none', '503 3/none'],
  },
  {
    name: 'a broken request is taken within two minutes',
    kind: 'ordinary',
    faults: ['reset/late', '502/late', '503/late', 'reset/none'],
    lateSeconds: [20, 31, 60, 110],
  },
  {
    name: 'no answer in time, taken later',
    kind: 'ordinary',
    faults: ['timeout/none', 'timeout/all', 'timeout/late', '504/late', '408/late', '524/late'],
    lateSeconds: [1, 61, 130, 600],
  },
  {
    name: 'answers make no sense',
    kind: 'ordinary',
    faults: ['html/none', 'html/all', 'cut/all', 'empty/all', 'short/all', 'mixed/all', '500/half'],
  },
  { name: 'asks to wait, with a time', kind: 'ordinary', faults: ['429 5/none', '429 40/none', 'reset/all'] },
  { name: 'asks to wait', kind: 'ordinary', faults: ['429/none', 'reset/all'] },
  { name: 'ten messages a second, with a time', kind: 'ordinary', rowsPerSecond: 10, retryAfter: 1 },
  { name: 'ten messages a second', kind: 'ordinary', rowsPerSecond: 10 },
  { name: 'takes 7 rows, 413', kind: 'ordinary', faults: ['reset/all'], most: 7, mostSays: '413' },
  { name: 'takes 7 rows, in words', kind: 'ordinary', faults: ['reset/none'], most: 7, mostSays: 'words' },
  { name: 'one bad row refuses the request', kind: 'ordinary', faults: ['reset/all'], badRow: 'request' },
  { name: 'a firewall refuses a text', kind: 'ordinary', faults: ['reset/all'], badRow: '403' },
  { name: 'money ends, by row', kind: 'ordinary', faults: BREAKS, money: 12, noMoney: 'row' },
  { name: 'money ends, by request', kind: 'ordinary', faults: BREAKS, money: 12, noMoney: 'request' },
  { name: 'refuses repeated ids', kind: 'ordinary', faults: BREAKS, refusesRepeated: true },
  { name: 'its queue takes five minutes', kind: 'ordinary', faults: BREAKS, queueSeconds: 300 },
  {
    name: 'status lacks some types',
    kind: 'ordinary',
    faults: BREAKS,
    status: { lacks: ['pipeline', 'telegram'] },
  },
  { name: 'states of its own', kind: 'ordinary', faults: BREAKS, status: { ownState: 'IN WORK' } },
  { name: 'names the unknown id', kind: 'ordinary', faults: BREAKS, status: { unknown: 'error with id' } },
  { name: 'Access denied', kind: 'ordinary', always: 'denied/none' },
  { name: 'an address that is none', kind: 'ordinary', always: '404/none' },
  { name: 'nothing listens', kind: 'ordinary', always: 'unreached/none' },
  { name: 'comes back after 10 s', kind: 'ordinary', always: 'unreached/none', untilSeconds: 10 },
  { name: 'an outage', kind: 'ordinary', always: '503/none' },
  {
    name: 'logs refusals as FAILED',
    kind: 'odd',
    faults: ['reset/none', 'words/none'],
    badRow: 'request',
    logsRefused: 'FAILED',
    breaks: { duplicate: LOGGED },
  },
  {
    name: 'logs refusals as REJECTED',
    kind: 'odd',
    faults: [...BREAKS, 'words/none'],
    badRow: 'request',
    logsRefused: 'REJECTED',
    status: { lagSeconds: 10 },
  },
  {
    name: 'no money, logged FAILED',
    kind: 'odd',
    faults: ['reset/all'],
    money: 0,
    noMoney: 'request',
    logsRefused: 'FAILED',
    breaks: { accepted: LOGGED, duplicate: LOGGED },
  },
  { name: 'status lags 40 s', kind: 'odd', faults: BREAKS, status: { lagSeconds: 40 } },
  {
    name: 'refuses repeated ids, status lags 130 s',
    kind: 'odd',
    faults: BREAKS,
    refusesRepeated: true,
    status: { lagSeconds: 130 },
  },
  { name: 'an unknown id is a success', kind: 'odd', faults: BREAKS, status: { unknown: 'success' } },
  {
    name: '"Message not found" of every id',
    kind: 'odd',
    faults: BREAKS,
    status: { blind: 'Message not found' },
    breaks: { key: BLIND },
  },
  {
    name: '"Not offered" of every id',
    kind: 'odd',
    faults: BREAKS,
    status: { blind: 'Not offered' },
    breaks: { key: BLIND },
  },
  { name: 'a time in each answer of status', kind: 'odd', faults: BREAKS, status: { noise: 'time' } },
  { name: 'a trace in each answer of status', kind: 'odd', faults: BREAKS, status: { noise: 'trace' } },
  { name: 'ids cut to 32 bits', kind: 'odd', faults: BREAKS, status: { cut: '32 bits' } },
  { name: 'status takes 10 ids', kind: 'odd', faults: BREAKS, status: { most: 10, mostSays: 'words' } },
  { name: 'status takes 3 ids', kind: 'odd', faults: BREAKS, status: { most: 3, mostSays: '413' } },
  {
    name: 'status answers the first 10',
    kind: 'odd',
    faults: BREAKS,
    status: { most: 10, mostSays: 'first ones' },
  },
  { name: 'status is down, 60 %', kind: 'odd', faults: BREAKS, status: { down: 0.6 } },
  { name: 'status denies access', kind: 'odd', faults: BREAKS, status: { denied: true } },
  {
    name: 'new messages are like unknown ones for 1 minute',
    kind: 'odd',
    faults: BREAKS,
    status: { hiddenSeconds: 60 },
  },
  {
    name: 'ids cut to 6 digits',
    kind: 'hostile',
    faults: BREAKS,
    status: { cut: '6 digits' },
    breaks: { accepted: DIGITS, duplicate: DIGITS, key: DIGITS, once: DIGITS },
  },
  { name: 'codes after the take', kind: 'hostile', faults: ['429/all', '413/all', '403/all', '429 5/all'] },
  {
    name: 'words after the take',
    kind: 'hostile',
    faults: ['words/all', 'fault words/all', 'no words/all', 'fault words/half'],
    breaks: { refused: LIAR },
  },
  { name: 'fault words for rows after the take', kind: 'hostile', faults: ['row fault words/all'] },
  {
    name: 'words of refusal for rows after the take',
    kind: 'hostile',
    faults: ['row words/all', 'row words/half'],
    breaks: { refused: LIAR },
  },
  {
    name: 'fault words after the take, status blind',
    kind: 'hostile',
    faults: ['fault words/all', 'row fault words/all', 'no words/all'],
    status: { blind: 'x y z' },
    breaks: { key: BLIND },
  },
  {
    name: 'words after the take, status lags 10 s',
    kind: 'hostile',
    faults: ['words/all', '413/all'],
    status: { lagSeconds: 10 },
    breaks: { once: LAGGING, key: LAGGING, refused: LAGGING },
  },
  {
    name: 'takes what it refuses, unseen',
    kind: 'hostile',
    faults: ['words/all', '413/all', '429/all'],
    liesUnseen: true,
    breaks: { once: UNSEEN, key: UNSEEN, refused: UNSEEN },
  },
  {
    name: 'a broken request is taken after 3 minutes',
    kind: 'hostile',
    faults: ['reset/late', '503/late'],
    lateSeconds: [180],
    breaks: { once: TOO_LATE, key: TOO_LATE, refused: TOO_LATE },
  },
  {
    name: 'status overlooks 30 %',
    kind: 'hostile',
    faults: BREAKS,
    status: { forgets: 0.3 },
    breaks: { once: FORGETFUL, key: FORGETFUL, refused: FORGETFUL },
  },
];
