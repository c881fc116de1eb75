import Sequencer from '@jest/test-sequencer';

import { LONGEST } from './slow-files.mts';

/** Runs the longest files first, so that no worker is left with one of them at the end; the others in jest's own order. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = LONGEST.findIndex((name) => path.includes(`/test/${name}`));
      return at === -1 ? LONGEST.length : at;
    };
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
}
