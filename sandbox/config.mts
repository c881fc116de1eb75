import type { Outcome, OutcomeRule } from './types.mts';

/**
 * Everything about the sandbox that can be changed while it runs, as plain JSON, so that the control API can
 * change the same things as a test in the same process.
 */
export interface SandboxConfig {
  /** Seed of every random choice (outcomes, shuffles, codes, faults). */
  seed: number;
  /** Time between taking a request and answering it; what is accepted is accepted at the start of it. */
  latencyMs: number;
  /** Time that a request of the asynchronous endpoint waits in the queue before it is carried out. */
  queueDelayMs: number;
  /** Milliseconds during which `status` doesn't know a message that was accepted. */
  statusLag: number;
  /** Host names, besides those of this machine, by which requests may reach the sandbox: of a container, say. */
  allowedHosts: string[];
  rules: Rules;
  outcomes: {
    /** Default time to the outcome; a pair is a range. */
    afterMs: number | [number, number];
    /** For messages that no rule matches; `null`: delivered on the first channel after `afterMs`. */
    fallback: Outcome | null;
    /** First match wins. */
    rules: OutcomeRule[];
    /** Share (0..1) of messages whose callbacks are sent twice. */
    duplicateShare: number;
    /** Share (0..1) of messages that get their status, but never a callback. */
    neverShare: number;
    /**
     * Whether a channel that fails before another one is tried is reported by a callback too. The contract
     * sends one callback, on the final state; some gateways send one for each channel.
     */
    reportFallback: boolean;
  };
  callbacks: CallbackConfig;
  connector: ConnectorConfig;
  keep: {
    /** Messages kept in full, with their status; the oldest are forgotten first. 0: counters only. */
    messages: number;
    /** Whether acceptances are counted for each `id`, which costs memory for each new `id`. */
    counts: boolean;
    /** Requests kept, and bytes of their bodies together. */
    requests: number;
    requestBytes: number;
    /** Callback records kept. */
    callbacks: number;
    /** Keep API keys in recorded requests. Off: each is replaced by `***`, in headers, body and raw bytes. */
    keys: boolean;
  };
}

export interface Rules {
  /** Whether an `id` that was accepted before is refused. The contract is silent. */
  duplicateIds: 'accept' | 'refuse';
  /** Largest request body in bytes. */
  maxBodyBytes: number;
}

export interface CallbackConfig {
  /** Tries in all, while the target does not answer 2xx. */
  attempts: number;
  /** Pause before the second try; doubles each time up to `maxRetryDelayMs`. */
  retryDelayMs: number;
  maxRetryDelayMs: number;
  timeoutMs: number;
  /** Callbacks under way at once. */
  concurrency: number;
  /** Extra delay drawn between 0 and this for each callback, which shuffles their order. */
  shuffleMs: number;
  /** Off: only loopback addresses are ever contacted. */
  allowRemoteHooks: boolean;
}

export interface ConnectorConfig {
  domain: string;
  /** The sending switch of the domain. */
  sendEnabled: boolean;
  /** Whether `initialize` opens a session, which later calls have to name; only a plain `tools/call` may name none. */
  sessions: boolean;
  /** Drop each session after this many requests in it; `null`: never. Counts down once per session. */
  dropSessionAfter: number | null;
  /** How answers come: JSON, server-sent events, or events with comments, notifications and split lines. */
  answers: 'json' | 'sse' | 'sse-noisy';
  /** `forward`: a key is judged when a tool calls the API. `check`: 401 for an unknown key at once. */
  auth: 'forward' | 'check';
  /** Tools in one page of `tools/list`; `null`: all of them. */
  pageSize: number | null;
}

export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/** The configuration that the sandbox starts with. */
export function defaultConfig(): SandboxConfig {
  return {
    seed: 1,
    latencyMs: 0,
    queueDelayMs: 20,
    statusLag: 0,
    allowedHosts: [],
    rules: {
      duplicateIds: 'accept',
      maxBodyBytes: 64 * 1024 * 1024,
    },
    outcomes: {
      afterMs: 200,
      fallback: null,
      rules: [],
      duplicateShare: 0,
      neverShare: 0,
      reportFallback: false,
    },
    callbacks: {
      attempts: 8,
      retryDelayMs: 250,
      maxRetryDelayMs: 5000,
      timeoutMs: 10_000,
      concurrency: 32,
      shuffleMs: 0,
      allowRemoteHooks: false,
    },
    connector: {
      domain: 'sandbox.example.com',
      sendEnabled: true,
      sessions: true,
      dropSessionAfter: null,
      answers: 'json',
      auth: 'forward',
      pageSize: null,
    },
    keep: {
      messages: 20_000,
      counts: true,
      requests: 2000,
      requestBytes: 32 * 1024 * 1024,
      callbacks: 20_000,
      keys: false,
    },
  };
}
