import type { Outcome } from '../../../nodes/gateway/delivery/outcomes.ts';
import { hasArrived, isFinal, OUTCOME_NAMES, replaces } from '../../../nodes/gateway/delivery/outcomes.ts';

/** Written by hand, in the order in which a message passes through its outcomes. */
const ALL: Outcome[] = ['unknown', 'pending', 'failed', 'delivered', 'read', 'replied'];

const those = (accept: (outcome: Outcome) => boolean) => ALL.filter(accept);

it('has six outcomes, calls those final that decide delivery, and those arrived that were delivered', () => {
  expect(OUTCOME_NAMES).toEqual(ALL);
  expect(those(isFinal)).toEqual(['failed', 'delivered', 'read', 'replied']);
  expect(those(hasArrived)).toEqual(['delivered', 'read', 'replied']);
});

it.each<[Outcome, after: Outcome[]]>([
  ['unknown', ALL],
  ['pending', ['pending', 'failed', 'delivered', 'read', 'replied']],
  // A message may arrive by the next channel.
  ['failed', ['failed', 'delivered', 'read', 'replied']],
  ['delivered', ['delivered', 'read', 'replied']],
  ['read', ['read', 'replied']],
  ['replied', ['replied']],
])('a report of %s is replaced by one of %j', (before, after) => {
  expect(those((outcome) => replaces(before, outcome))).toEqual(after);
});
