import type { SandboxConfig } from './config.mts';
import {
  boolean,
  filled,
  finite,
  list,
  milliseconds,
  object,
  oneOf,
  orNull,
  share,
  string,
  timeOrRange,
  whole,
} from './input-rules.mts';
import type { Rule } from './input-rules.mts';

/** A rule for each setting, in the same tree. */
export type RulesFor<T> = {
  [K in keyof T]: T[K] extends readonly unknown[] ? Rule : T[K] extends object ? RulesFor<T[K]> : Rule;
};

const reply = object(
  {
    datetime: string,
    message: string,
    media: object({ url: string, filename: string, filesize: finite }, ['url', 'filename', 'filesize']),
  },
  ['datetime', 'message'],
);

const step = object(
  {
    status: filled,
    afterMs: timeOrRange,
    type: string,
    error: string,
    reply: string,
    duration: finite,
    replies: list(reply),
    silent: boolean,
  },
  ['status'],
);

/** Most repeats of one callback: enough for every test, few enough to be made up at once. */
const MOST_REPEATS = 1000;

const outcome = object({ steps: list(step), duplicates: whole(0, MOST_REPEATS), mute: boolean }, ['steps']);

const outcomeRule = object({ phone: finite, phoneSuffix: string, type: string, id: finite, outcome }, [
  'outcome',
]);

/** A body is one buffer, and its JSON one string, which Node doesn't make longer than this. */
const MOST_BODY_BYTES = 512 * 1024 * 1024;

/** What each setting may hold. */
export const CONFIG_RULES: RulesFor<SandboxConfig> = {
  seed: whole(0),
  latencyMs: milliseconds,
  queueDelayMs: milliseconds,
  statusLag: milliseconds,
  allowedHosts: list(filled),
  rules: {
    duplicateIds: oneOf(['accept', 'refuse']),
    maxBodyBytes: whole(0, MOST_BODY_BYTES),
  },
  outcomes: {
    afterMs: timeOrRange,
    fallback: orNull(outcome),
    rules: list(outcomeRule),
    duplicateShare: share,
    neverShare: share,
    reportFallback: boolean,
  },
  callbacks: {
    attempts: whole(1),
    retryDelayMs: milliseconds,
    maxRetryDelayMs: milliseconds,
    timeoutMs: milliseconds,
    concurrency: whole(1, 1000),
    shuffleMs: milliseconds,
    allowRemoteHooks: boolean,
  },
  connector: {
    domain: string,
    sendEnabled: boolean,
    sessions: boolean,
    dropSessionAfter: orNull(whole(0)),
    answers: oneOf(['json', 'sse', 'sse-noisy']),
    auth: oneOf(['forward', 'check']),
    pageSize: orNull(whole(1)),
  },
  keep: {
    messages: whole(0),
    counts: boolean,
    requests: whole(0),
    requestBytes: whole(0),
    callbacks: whole(0),
    keys: boolean,
  },
};
