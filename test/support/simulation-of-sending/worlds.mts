/**
 * Gateways made by hand. Each is a plain object: what it does beside what the contract says, and what no client can keep
 * with it.
 */

/**
 * What a client promises, each a judge of its own (judge.mts).
 * - `accepted` is what was taken, also where answers got lost or were those of another execution (`unheard`).
 * - `refused`, or not sent, is what wasn't taken.
 * - A message is taken `once` by its execution, once however often that is `retried`, and once by all runs with its `key`.
 * - Each row has a `result`; nothing leaves after a `stop`; and all comes to an end, in `requests` and in `time`.
 */
export type Promised =
  | 'accepted'
  | 'unheard'
  | 'refused'
  | 'once'
  | 'retried'
  | 'key'
  | 'result'
  | 'stop'
  | 'requests'
  | 'time';

/** Words that refuse a request, or each of its rows. */
export const WORDS = {
  words: 'Kunde nicht gefunden',
  'fault words': 'Internal server error',
  'no words': '',
  denied: 'Access denied',
  'row words': 'Number is barred',
  'row fault words': 'Database error',
} as const;

/** What comes back for a request that goes wrong: a break, an HTTP code (with `Retry-After`), a senseless body, or words. */
type Break = 'reset' | 'timeout' | 'unreached';
type Senseless = 'html' | 'cut' | 'empty' | 'short' | 'mixed';
type Says = Break | Senseless | `${number}` | `${number} ${number}` | keyof typeof WORDS;

/** What the gateway takes of such a request: `late`, all of it some time after that. */
export type Fault = `${Says}/${'none' | 'half' | 'all' | 'late'}`;

/** How `status` answers; where nothing else is said, it knows what was taken after less than two seconds. */
export interface StatusManners {
  lagSeconds?: number;

  /** What it says of an id that it doesn't know: an error that names the id, or a success. */
  unknown?: 'error with id' | 'success';

  /** Some words for every id, known or not: one of these. */
  blind?: readonly string[];

  /** A field that differs in each question, or in each answer. */
  noise?: 'time' | 'trace';

  /** How much of an id its table holds. */
  cut?: '32 bits' | '6 digits';

  /** Most ids in one question, and how it refuses more. */
  most?: number;
  mostSays?: 'words' | '413';

  /** How often it isn't there, how often it overlooks a message, for how long a new message is like an unknown one, and when it forgets one. */
  down?: number;
  forgets?: number;
  hiddenSeconds?: number;
  memoryHours?: number;
  denied?: boolean;

  /** A state that nobody has listed. */
  ownState?: string;

  /** Types of which it knows nothing, beside calls. */
  lacks?: readonly string[];
}

export interface World {
  name: string;

  /** What happens to a request that goes wrong; left out: its connection breaks. */
  faults?: readonly Fault[];

  /** What happens to each request, until that time. */
  always?: Fault;
  untilSeconds?: number;

  /** When the gateway takes what it takes late: one of these. */
  lateSeconds?: readonly number[];

  /** After how long `status` knows what is in its queue. */
  queueSeconds?: number;

  /** Most rows in a request, and how it refuses more. */
  most?: number;
  mostSays?: 'words' | '413';

  /** A limiter, with `Retry-After` or without. */
  rowsPerSecond?: number;
  retryAfter?: number;

  /** What refuses the whole request of a row that can't be sent; left out: its own result refuses the row. */
  badRow?: 'words' | '403';

  /** For how many rows there is money, and what is refused after that. */
  money?: number;
  noMoney?: 'row' | 'request';

  /** Whether an id that it has is refused. */
  refusesRepeated?: boolean;

  /** What its log holds of what it refuses. */
  logsRefused?: 'FAILED' | 'REJECTED';
  status?: StatusManners;

  /** The sentence of docs/delivery-guarantees.md that says what no client keeps here, and what that is. */
  breaks?: readonly [sentence: string, ...promises: Promised[]];
}

const LATE: readonly Fault[] = ['reset/late', '502/late', '503/late', 'reset/none'];
const TOO_LONG: readonly Fault[] = ['timeout/none', 'timeout/all', 'timeout/late', '504/late', '408/late'];
const SENSELESS: readonly Fault[] = [
  'html/none',
  'html/all',
  'cut/all',
  'empty/all',
  'short/all',
  'mixed/all',
];

/** What a `status` may say that tells nothing. */
const ANY_WORDS = ['Message not found', 'Not offered', 'Brak usługi', 'Insufficient funds', 'Error', ''];

/** What happens to requests where nothing else is said: connections break. */
export const BREAKS: readonly Fault[] = ['reset/none', 'reset/all', 'reset/half', '502/none', '502/all'];

/** Gateways that follow the contract, with the faults that networks have. */
const ORDINARY: readonly World[] = [
  { name: 'follows the contract', faults: [] },
  { name: 'connections break' },
  {
    name: 'a front answers 50x',
    faults: ['502/all', '503/none', '503/half', '504/none', '504/all', '503 3/none'],
  },
  { name: 'takes a broken request within two minutes', faults: LATE, lateSeconds: [20, 31, 60, 110] },
  { name: 'no answer in time, taken later', faults: TOO_LONG, lateSeconds: [1, 61, 130, 600] },
  { name: 'answers make no sense', faults: SENSELESS },
  { name: 'asks to wait', faults: ['429/none', '429 5/none', '429 40/none', 'reset/all'] },
  { name: 'ten messages a second, with a time', faults: [], rowsPerSecond: 10, retryAfter: 1 },
  { name: 'ten messages a second', faults: [], rowsPerSecond: 10 },
  { name: 'takes 7 rows, 413', faults: ['reset/all'], most: 7, mostSays: '413' },
  { name: 'takes 7 rows, in words', faults: ['reset/none'], most: 7, mostSays: 'words' },
  { name: 'a bad row refuses the request', faults: ['reset/all'], badRow: 'words' },
  { name: 'a firewall refuses a text', faults: ['reset/all'], badRow: '403' },
  { name: 'money ends, by row', money: 12, noMoney: 'row' },
  { name: 'money ends, by request', money: 12, noMoney: 'request' },
  { name: 'refuses repeated ids', refusesRepeated: true },
  { name: 'its queue takes five minutes', queueSeconds: 300 },
  { name: 'status lacks some types', status: { lacks: ['pipeline', 'telegram'] } },
  { name: 'states of its own', status: { ownState: 'IN WORK', unknown: 'error with id' } },
  { name: 'Access denied', always: 'denied/none' },
  { name: 'an address that is none', always: '404/none' },
  { name: 'nothing listens', always: 'unreached/none' },
  { name: 'comes back after 10 s', faults: [], always: 'unreached/none', untilSeconds: 10 },
  { name: 'an outage', always: '503/none' },
];

/** What no client keeps once its process was killed, with types that `status` may not know. */
export const FORGOTTEN: NonNullable<World['breaks']> = [
  'Without an answer they stay unknown. After a restart, a second *Retry* sends them again, or calls them refused.',
  'retried',
  'refused',
];

const LOGGED =
  'Where refusals are logged as FAILED, a refused message counts as accepted where the answer was lost, or was that of another run.';
const BLIND =
  'While `status` says of every id that it does not have it, a new process recognizes no key, and no other Retry.';
const SHORT =
  'What `status` has forgotten, the same key sends again, and so does another Retry, or calls it not sent.';

/** Gateways that do what the contract doesn't say. */
const ODD: readonly World[] = [
  {
    name: 'logs refusals as FAILED',
    faults: ['reset/none', 'words/none'],
    badRow: 'words',
    logsRefused: 'FAILED',
    breaks: [LOGGED, 'unheard'],
  },
  {
    name: 'logs refusals as REJECTED',
    faults: [...BREAKS, 'words/none'],
    badRow: 'words',
    logsRefused: 'REJECTED',
    status: { lagSeconds: 10 },
  },
  {
    name: 'no money, logged FAILED',
    faults: ['reset/all'],
    money: 0,
    noMoney: 'request',
    logsRefused: 'FAILED',
    breaks: [LOGGED, 'unheard'],
  },
  { name: 'status lags 40 s', status: { lagSeconds: 40 } },
  { name: 'refuses repeated ids, status lags 130 s', refusesRepeated: true, status: { lagSeconds: 130 } },
  { name: 'an unknown id is a success', status: { unknown: 'success' } },
  { name: 'the same words of every id', status: { blind: ANY_WORDS }, breaks: [BLIND, 'key', 'retried'] },
  { name: 'status shows a time', status: { noise: 'time' } },
  { name: 'status shows a trace', status: { noise: 'trace' } },
  { name: 'ids cut to 32 bits', status: { cut: '32 bits' } },
  { name: 'status takes 10 ids', status: { most: 10, mostSays: 'words' } },
  { name: 'status takes 3 ids', status: { most: 3, mostSays: '413' } },
  { name: 'status is down, 60 %', status: { down: 0.6 } },
  { name: 'status denies access', status: { denied: true } },
  { name: 'hides messages for a minute', status: { hiddenSeconds: 60 } },
  { name: 'forgets within 12 hours', status: { memoryHours: 12 }, breaks: [SHORT, 'key', 'retried'] },
];

const TOO_LATE = 'A gateway that takes a broken request after more than two minutes may be sent it twice.';
const FORGETFUL = 'A `status` that overlooks some messages and knows others may get a message twice.';
const LIAR = 'A message that is taken and refused in plain words is reported as refused.';
const DIGITS = 'A `status` that keeps a few digits of an id says of a message what is true of another.';
const UNSEEN =
  'A request that is refused and taken may leave twice where `status` does not show that within seconds.';

const WORDS_AFTER: readonly Fault[] = ['words/all', 'fault words/all', 'no words/all', 'fault words/half'];
const FAULTS_AFTER: readonly Fault[] = ['fault words/all', 'row fault words/all', 'no words/all'];

/** Gateways that say what isn't so. */
const HOSTILE: readonly World[] = [
  { name: 'codes after the take', faults: ['429/all', '413/all', '403/all', '429 5/all'] },
  { name: 'words after the take', faults: WORDS_AFTER, breaks: [LIAR, 'refused'] },
  { name: 'fault words for rows after the take', faults: ['row fault words/all'] },
  {
    name: 'words for rows after the take',
    faults: ['row words/all', 'row words/half'],
    breaks: [LIAR, 'refused'],
  },
  {
    name: 'fault words after the take, status blind',
    faults: FAULTS_AFTER,
    status: { blind: ANY_WORDS },
    breaks: [BLIND, 'key', 'retried'],
  },
  {
    name: 'words after the take, status lags 10 s',
    faults: ['words/all', '413/all', '429/all'],
    status: { lagSeconds: 10 },
    breaks: [UNSEEN, 'once', 'key', 'retried', 'refused'],
  },
  {
    name: 'takes a broken request after 3 minutes',
    faults: ['reset/late', '503/late'],
    lateSeconds: [180],
    breaks: [TOO_LATE, 'once', 'key', 'retried', 'refused'],
  },
  {
    name: 'ids cut to 6 digits',
    status: { cut: '6 digits' },
    breaks: [DIGITS, 'accepted', 'unheard', 'key', 'retried', 'once'],
  },
  {
    name: 'status overlooks 30 %',
    status: { forgets: 0.3 },
    breaks: [FORGETFUL, 'once', 'key', 'retried', 'refused'],
  },
];

export const WORLDS: readonly World[] = [...ORDINARY, ...ODD, ...HOSTILE];
