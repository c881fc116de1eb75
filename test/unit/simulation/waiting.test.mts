/**
 * Wait for Delivery against models of n8n and of the gateway, on a virtual clock: outcomes that come late or never,
 * callbacks that are lost, late, doubled, reordered and forged, processes that are killed and started again. A seed
 * decides everything; `npm run simulate -- --waits --seed <n>` shows what happens in it.
 */
import { withMethods } from '../../support/simulation/product.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulateWait } from '../../support/simulation-of-waits/simulate.mts';

const WATCH = 'MessagingGateway/delivery-wait/watch.ts';
const QUESTION_SIZE = 'gateway/client/question-size.ts';
const OPEN_WAIT = 'MessagingGateway/delivery-wait/open-wait.ts';

testSimulation({
  option: '--waits',
  run: simulateWait,
  seeds: 100,
  mended: [
    401_495, 402_242, 514_725, 557_480, 1_592_329, 2_080_606, 2_103_871, 2_138_659, 3_032_373, 3_054_172,
    4_042_818,
  ],
  repeated: [5, 17, 42],
  wrong: {
    'takes no callback': withMethods(OPEN_WAIT, 'OpenWait', { takeAll: () => false }),
    'passes on the items as they fell asleep': withMethods(OPEN_WAIT, 'OpenWait', {
      withReports: (items: unknown) => items,
    }),
    'takes the failure of a channel for that of the message': withMethods(OPEN_WAIT, 'OpenWait', {
      learnStatus(this: { learn(...values: unknown[]): void }, message: unknown, report: unknown) {
        this.learn(message, report, { outcome: 'failed', final: true });
      },
    }),
    'forgets how many ids the gateway answers': withMethods(QUESTION_SIZE, 'QuestionSize', {
      answered(this: { current: number; settled: number }) {
        this.current = 500;
      },
    }),
    'wakes nobody': withMethods(WATCH, 'Watch', { wake: async () => await Promise.resolve() }),
    'asks about an execution that is over': withMethods(WATCH, 'Watch', { meansOver: () => false }),
  },
});
