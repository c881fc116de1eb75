import { z } from 'zod/v3';
import type { DeepPartial, SandboxConfig } from './config.mts';
import { checked, filled, milliseconds, share, timeOrRange } from './input.mts';
import type { JsonObject } from './types.mts';

const reply = z
  .object({
    datetime: z.string(),
    message: z.string(),
    media: z.object({ url: z.string(), filename: z.string(), filesize: z.number() }).strict().optional(),
  })
  .strict();

const step = z
  .object({
    status: filled,
    afterMs: timeOrRange.optional(),
    type: z.string().optional(),
    error: z.string().optional(),
    reply: z.string().optional(),
    duration: z.number().optional(),
    replies: z.array(reply).optional(),
    silent: z.boolean().optional(),
  })
  .strict();

/** Most repeats of one callback: enough for every test, few enough to be made up at once. */
const MOST_REPEATS = 1000;

const outcome = z
  .object({
    steps: z.array(step),
    duplicates: z.number().int().min(0).max(MOST_REPEATS).optional(),
    mute: z.boolean().optional(),
  })
  .strict();

const rule = z
  .object({
    phone: z.number().optional(),
    phoneSuffix: z.string().optional(),
    type: z.string().optional(),
    id: z.number().optional(),
    outcome,
  })
  .strict();

/** A body is one buffer, and its JSON one string, which Node doesn't make longer than this. */
const MOST_BODY_BYTES = 512 * 1024 * 1024;

const count = z.number().int().min(0);

/** Some of these settings and no others. */
const some = <S extends z.ZodRawShape>(shape: S) => z.object(shape).partial().strict();

/** The settings that stand in a group. */
const GROUPS = {
  rules: some({
    duplicateIds: z.enum(['accept', 'refuse']),
    maxBodyBytes: count.max(MOST_BODY_BYTES),
  }),
  outcomes: some({
    afterMs: timeOrRange,
    fallback: outcome.nullable(),
    rules: z.array(rule),
    duplicateShare: share,
    neverShare: share,
    reportFallback: z.boolean(),
  }),
  callbacks: some({
    attempts: count.min(1),
    retryDelayMs: milliseconds,
    maxRetryDelayMs: milliseconds,
    timeoutMs: milliseconds,
    concurrency: count.min(1).max(1000),
    shuffleMs: milliseconds,
    allowRemoteHooks: z.boolean(),
  }),
  connector: some({
    domain: z.string(),
    sendEnabled: z.boolean(),
    sessions: z.boolean(),
    dropSessionAfter: count.nullable(),
    answers: z.enum(['json', 'sse', 'sse-noisy']),
    auth: z.enum(['forward', 'check']),
    pageSize: count.min(1).nullable(),
  }),
  keep: some({
    messages: count,
    counts: z.boolean(),
    requests: count,
    requestBytes: count,
    callbacks: count,
    keys: z.boolean(),
  }),
};

const CHANGE: z.ZodType<DeepPartial<SandboxConfig>> = some({
  seed: count,
  latencyMs: milliseconds,
  queueDelayMs: milliseconds,
  statusLag: milliseconds,
  allowedHosts: z.array(filled),
  ...GROUPS,
});

/**
 * Changes settings in place. Lists and outcomes are replaced whole, everything else is merged.
 * @throws InputError naming a setting that does not exist, or a value that it can't have; then nothing was changed
 */
export function changeConfig(config: SandboxConfig, change: object): void {
  const given = checked(CHANGE, change, 'Settings') as JsonObject;
  const target = config as unknown as JsonObject;
  for (const [name, value] of Object.entries(given)) {
    if (name in GROUPS) assign(target[name] as JsonObject, (value ?? {}) as JsonObject);
    else assign(target, { [name]: value });
  }
}

function assign(target: JsonObject, values: JsonObject): void {
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) target[name] = value;
  }
}
