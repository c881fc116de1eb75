/**
 * What settings, accounts and faults may hold, whoever gives them: a test, the control API, the command line.
 * What gets past these schemas is used by timers later on, where nobody is left to be told that it is wrong.
 */
import { z } from 'zod/v3';
import { InputError } from './input-error.mts';
import { MOST_DELAY_MS } from './schedule.mts';

/** A time that a timer can wait for. */
export const milliseconds = z.number().min(0).max(MOST_DELAY_MS);

/** A part of all. */
export const share = z.number().min(0).max(1);

export const filled = z.string().regex(/\S/, 'has to be a text that is not empty');

/** An address that callbacks can go to. */
export const address = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'has to be an http or https address');

/** Milliseconds, or a pair of them: a range to draw from. */
export const timeOrRange = z.union([
  milliseconds,
  z
    .tuple([milliseconds, milliseconds])
    .refine(([from, to]) => from <= to, 'has to begin with the shorter time'),
]);

/**
 * Returns what a schema reads.
 * @param what whose value it is, for the sentence that says what is wrong
 * @throws InputError with that sentence
 */
export function checked<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [{ path, message }] = result.error.issues;
  throw new InputError([what, path.join('.'), message].filter((part) => part !== '').join(': '));
}
