/**
 * Returns how much of something a test does: the short form in `npm test`, the long one in `npm test -- long`, which is
 * part of a release.
 */
export const shortOrLong = (short: number, long: number): number => (isLong() ? long : short);

const isLong = (): boolean => process.env.TEST_FORM === 'long';
