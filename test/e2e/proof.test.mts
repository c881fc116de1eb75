/**
 * A tenth of the proof (`npm run proof`): whatever a gateway says and whenever it breaks, nothing is sent twice and every
 * row is reported as it was. In a real n8n, with On Error set to continue, without and with Retry On Fail.
 */
import { holdCases, otherCases, wordingCases } from '../support/proof/cases.mts';
import type { Verdict } from '../support/proof/run.mts';
import { prove } from '../support/proof/run.mts';
import { realN8n } from '../support/real-n8n.mts';

/** The proof has 40 of them; these are about a fault, about the account, of another language, and nothing. */
const WORDINGS = ['MySQL server has gone away', 'Insufficient funds', 'Внутренняя ошибка', ''];

/** Longer than the settling time, in milliseconds; the proof waits for half a minute instead. */
const HOLD = 3500;
const SETTLING = 3;
const TAKEN_LATER = 1500;

const faultsOf = (verdicts: Verdict[]): string[] =>
  verdicts.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`));

it.concurrent(
  'reports each message as it was, whatever the gateway says after it took none, some or all of them',
  async () => {
    const { client } = await realN8n();
    const cases = [...wordingCases(WORDINGS), ...otherCases()];
    const faults = faultsOf(await prove(client, cases, { options: {}, parallel: cases.length }));
    expect(faults).toEqual([]);
  },
);

it.concurrent('sends nothing twice that is taken after an exchange was held for long and broke', async () => {
  const { client } = await realN8n();
  const cases = holdCases(HOLD, TAKEN_LATER).filter(({ mode }) => mode === 'retry');
  const options = { settlingTime: SETTLING };
  const faults = faultsOf(await prove(client, cases, { options, parallel: cases.length }));
  expect(faults).toEqual([]);
});
