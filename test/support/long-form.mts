/**
 * Returns how much of something a test does: the short form in `npm test`, the long one in `npm test -- long`, which is
 * part of a release.
 */
export const shortOrLong = <T,>(short: T, long: T): T => (isLong() ? long : short);

const isLong = (): boolean => process.env.TEST_FORM === 'long';
