/** For how long a server that wants to be left alone is waited for in one go. */
export const MOST_PATIENCE_SECONDS = 120;

/** Whether a server wants to be left alone for so many seconds that nobody waits for it. */
export const isBeyondPatience = (retryAfter: number): boolean => retryAfter > MOST_PATIENCE_SECONDS;

const SECONDS = /^\d{1,9}(\.\d{1,9})?$/;

/** The three forms of a date in HTTP (RFC 9110, section 5.6.7); the oldest doesn't name its time zone, which is GMT. */
const DATE = /^[A-Z][a-z]{2,8},? [\w :-]{8,40}$/;

/**
 * Reads a `Retry-After` header, which holds a number of seconds or a date of HTTP.
 * @param nowMs the current time in milliseconds since 1970
 * @returns the seconds to wait, 0 or more, fractions of dates rounded up; undefined where the header says nothing usable
 */
export function retryAfterSeconds(header: unknown, nowMs: number): number | undefined {
  const text = typeof header === 'number' ? String(header) : header;
  if (typeof text !== 'string' || text.length > 64) return undefined;
  const value = text.trim();
  if (SECONDS.test(value)) return Number(value);
  if (!DATE.test(value)) return undefined;
  const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - nowMs) / 1000));
}
