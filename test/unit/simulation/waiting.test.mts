/**
 * Wait for Delivery against models of n8n and of the gateway, on a virtual clock: outcomes that come late or never,
 * callbacks that are lost, late, doubled, reordered and forged, processes that are killed and started again. A seed
 * decides everything; `npm run simulate -- --waits --seed <n>` shows what happens in it.
 */
import type { Report } from '../../../nodes/gateway/delivery/reports.ts';
import { classify } from '../../../nodes/gateway/delivery/reports.ts';
import { withMethods } from '../../support/simulation/product.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulateWait } from '../../support/simulation-of-waits/simulate.mts';

const OPEN_WAIT = 'MessagingGateway/delivery-wait/open-wait.ts';

testSimulation({
  option: '--waits',
  run: simulateWait,
  wrong: {
    'takes no callback': withMethods(OPEN_WAIT, 'OpenWait', { takeAll: () => false }),
    'passes on the items as they fell asleep': withMethods(OPEN_WAIT, 'OpenWait', {
      withReports: (items: unknown) => items,
    }),
    'says of rows that n8n passes on that they are on their way': withMethods(OPEN_WAIT, 'OpenWait', {
      asLeft: (items: unknown) => items,
    }),
    'learns nothing from status': withMethods(OPEN_WAIT, 'OpenWait', {
      ask: async () => await Promise.resolve(),
    }),
    'takes the failure of a channel for that of the message': withMethods(OPEN_WAIT, 'OpenWait', {
      learn(message: object, report: Report) {
        Object.assign(message, { report, classified: classify(report) });
      },
    }),
  },
});
