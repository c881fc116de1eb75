/** Units that take longest, as parts of their paths below `test/`; `npm test -- quick` leaves them out. */
export const LONG_UNITS = [
  'unit/simulation/',
  'unit/callback/hostile',
  'unit/outside-texts',
  'unit/delivery-wait/memory',
  'unit/n8n/credential-test',
  'unit/numbers/phone-library',
];

/** Files that take longest, the longest first. Jest knows that only of files that it has run before. */
export const LONGEST = [
  'e2e/proof',
  'e2e/killed',
  'e2e/approval.test',
  'e2e/one-time-passwords',
  'e2e/wait',
  'e2e/agent',
  'e2e/trigger-options',
  'e2e/failures',
  ...LONG_UNITS,
];
