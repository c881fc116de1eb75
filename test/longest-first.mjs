import Sequencer from '@jest/test-sequencer';

/**
 * Files that take longest, so that no worker is left with one of them at the end. Jest knows that only of files that it
 * has run before.
 */
const LONGEST = [
  'e2e/wait-restart',
  'e2e/trigger-options',
  'e2e/wait',
  'e2e/failures',
  'e2e/one-time-passwords',
  'e2e/killed',
  'e2e/late-gateway',
  'e2e/editor',
  'engine/faults-at-scale',
  'unit/simulation/sending',
];

/** Runs the longest files first, the others in jest's own order. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = LONGEST.findIndex((name) => path.endsWith(`/test/${name}.test.mts`));
      return at === -1 ? LONGEST.length : at;
    };
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
}
