/**
 * What settings, accounts and faults may hold, whoever gives them: a test, the control API, the command line.
 * What gets past these schemas is used by timers later on, where nobody is left to be told that it is wrong.
 */
import { z } from 'zod/v3';

/** Something was asked for that can't be done; the text says why, for a person. */
export class InputError extends Error {
  /** HTTP status that the control API answers with. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** A time that a timer of Node can wait for: for more, it fires at once. */
export const milliseconds = z
  .number()
  .min(0)
  .max(2 ** 31 - 1);

export const filled = z.string().regex(/\S/, 'has to be a text that is not empty');

/** An address that callbacks can go to. */
export const address = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'has to be an http or https address');

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
