/**
 * Everything about the sandbox that can be changed while it runs, as plain JSON: a test in the same process, the control
 * API and the command line change the same settings.
 */
import { z } from 'zod/v3';
import { checked, filled, milliseconds } from './input.mts';

/** Milliseconds, or a pair of them: a range to draw from. */
const timeOrRange = z.union([
  milliseconds,
  z
    .tuple([milliseconds, milliseconds])
    .refine(([from, to]) => from <= to, 'has to begin with the shorter time'),
]);

/** A reply of the recipient as the callback carries it (gateway-api.md, "Callback fields"). */
const reply = z
  .object({
    datetime: z.string(),
    message: z.string(),
    media: z.object({ url: z.string(), filename: z.string(), filesize: z.number() }).strict().optional(),
  })
  .strict();

export type Reply = z.infer<typeof reply>;

/** A step in the life of a message after the gateway has accepted it. */
const step = z
  .object({
    /** Status from then on, for example `DELIVERED`. */
    status: filled,
    /** Milliseconds after acceptance; a pair is a range to draw from. Default: `outcomes.afterMs`. */
    afterMs: timeOrRange.optional(),
    /** Channel that reports it (`sms`, `viber` ...); default: the channel the message is on. */
    type: z.string().optional(),
    error: z.string().optional(),
    /** Digit pressed (DTMF). */
    reply: z.string().optional(),
    /** Call duration in seconds. */
    duration: z.number().optional(),
    replies: z.array(reply).optional(),
    /** Changes the stored status, but sends no callback. */
    silent: z.boolean().optional(),
  })
  .strict();

export type OutcomeStep = z.infer<typeof step>;

/** The life of a message: its steps in time, and how often each callback is repeated. */
const outcome = z
  .object({
    /** Empty: nothing happens by itself, a person (or the control API) decides. */
    steps: z.array(step),
    /** How many times more the same callback is sent. */
    duplicates: z.number().int().min(0).max(1000).optional(),
    /** The status changes, but no callback is ever sent. */
    mute: z.boolean().optional(),
  })
  .strict();

export type Outcome = z.infer<typeof outcome>;

/** Which messages an outcome is for; every given property has to match. */
const rule = z
  .object({
    phone: z.number().optional(),
    phoneSuffix: z.string().optional(),
    type: z.string().optional(),
    id: z.number().optional(),
    outcome,
  })
  .strict();

export type OutcomeRule = z.infer<typeof rule>;

const count = z.number().int().min(0);

/** A group of settings, each with its default. */
const group = <S extends z.ZodRawShape>(shape: S) => z.object(shape).strict();

const outcomes = group({
  /** Default time to the outcome. */
  afterMs: timeOrRange.default(200),
  /** For messages that no rule matches; `null`: delivered on the first channel after `afterMs`. */
  fallback: outcome.nullable().default(null),
  /** First match wins. */
  rules: z.array(rule).default([]),
});

const callbacks = group({
  /** Tries in all, while the target does not answer 2xx. */
  attempts: count.min(1).default(8),
  /** Pause before the second try; doubles each time up to five seconds. */
  retryDelayMs: milliseconds.default(250),
  /** Extra delay drawn between 0 and this for each callback, which shuffles their order. */
  shuffleMs: milliseconds.default(0),
});

const connector = group({
  domain: z.string().default('sandbox.example.com'),
  /** The sending switch of the domain. */
  sendEnabled: z.boolean().default(true),
  /** Whether `initialize` opens a session, which later calls have to name; only a plain `tools/call` may name none. */
  sessions: z.boolean().default(true),
  /** Drop each session after this many requests in it; `null`: never. Counts down once per session. */
  dropSessionAfter: count.nullable().default(null),
  /** How answers come: as JSON, or as server-sent events. */
  answers: z.enum(['json', 'sse']).default('json'),
});

const keep = group({
  /** Messages kept in full, with their status; the oldest are forgotten first. 0: counters only. */
  messages: count.default(20_000),
  /** Whether acceptances are counted for each `id`, which costs memory for each new `id`. */
  counts: z.boolean().default(true),
  /** Requests kept, and bytes of their bodies together. */
  requests: count.default(2000),
  requestBytes: count.default(32 * 1024 * 1024),
  /** Callback records kept. */
  callbacks: count.default(20_000),
});

const SETTINGS = group({
  /** Time between taking a request and answering it; what is accepted is accepted at the start of it. */
  latencyMs: milliseconds.default(0),
  /** Time that a request of the asynchronous endpoint waits in the queue before it is carried out. */
  queueDelayMs: milliseconds.default(20),
  /** Whether an `id` that was accepted before is refused. The contract is silent. */
  duplicateIds: z.enum(['accept', 'refuse']).default('accept'),
  outcomes: outcomes.default({}),
  callbacks: callbacks.default({}),
  connector: connector.default({}),
  keep: keep.default({}),
});

export type SandboxConfig = z.output<typeof SETTINGS>;
export type CallbackConfig = SandboxConfig['callbacks'];
export type ConnectorConfig = SandboxConfig['connector'];

/** Some of the settings, also within a group. */
export type ConfigChange = z.input<typeof SETTINGS>;

/** The settings that the sandbox starts with. */
export const defaultConfig = (): SandboxConfig => SETTINGS.parse({});

/**
 * Changes settings in place. Lists and outcomes are replaced whole, everything else is merged.
 * @throws InputError naming a setting that does not exist, or a value that it can't have; then nothing was changed
 */
export function changeConfig(config: SandboxConfig, change: ConfigChange): void {
  const merged: Record<string, unknown> = { ...config };
  for (const [name, value] of Object.entries(change)) {
    const isGroup =
      SETTINGS.shape[name as keyof ConfigChange] instanceof z.ZodDefault && typeof value === 'object';
    merged[name] = isGroup
      ? { ...(config[name as keyof SandboxConfig] as object), ...(value as object) }
      : value;
  }
  Object.assign(config, checked(SETTINGS, merged, 'Settings'));
}
