/**
 * The trigger against a model of n8n's processes, their starts and their static data, on a virtual clock: callbacks that
 * are late, doubled and repeated, executions that n8n fails to start, processes that are killed and started again. A
 * seed decides everything; `npm run simulate -- --trigger --seed <n>` shows what happens in it.
 */
import { withMethods } from '../../support/simulation/product.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulateTrigger } from '../../support/simulation-of-trigger/simulate.mts';

const RECENT = 'gateway/callback/recent.ts';

testSimulation({
  option: '--trigger',
  run: simulateTrigger,
  seeds: 60,
  repeated: [5, 17, 42],
  wrong: {
    'saves nothing': {
      change: withMethods(RECENT, 'RecentStatuses', { dump: () => undefined }),
      shownBy: [107],
    },
    'remembers nothing of what has started': withMethods(RECENT, 'RecentStatuses', {
      settle: () => undefined,
    }),
    'looks for no other calls': withMethods(RECENT, 'RecentStatuses', {
      unseen: (events: unknown) => events,
    }),
    'starts for each repeat': withMethods(RECENT, 'RecentStatuses', { isNews: () => true }),
    'starts for nothing': withMethods(RECENT, 'RecentStatuses', { isNews: () => false }),
  },
});
