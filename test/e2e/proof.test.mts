/**
 * A tenth of the proof (`npm run proof`): whatever a gateway says and whenever it breaks, nothing is sent twice and every
 * row is reported as it was. In a real n8n, with On Error set to continue, without and with Retry On Fail.
 */
import { holdCases, otherCases, prove, wordingCases } from '../support/proof.mts';
import { proveRefusals } from '../support/prove-refusals.mts';
import { realN8n } from '../support/real-n8n.mts';
import { allRefusalCases } from '../support/refusal-cases.mts';

/** The proof has 41 of them; these are about a fault, about the account, of another language, and nothing. */
const WORDINGS = ['MySQL server has gone away', 'Insufficient funds', 'Внутренняя ошибка', ''];

/** Cases in which `status` asks for two minutes of patience in each try: the whole proof has them. */
const isPatient = ({ name }: { name: string }): boolean => name.endsWith('status: 429');

// They wait more than they compute, so that half of the cases of both run at the same time; with all of them, n8n has no
// time for the other files.
it.concurrent(
  'reports each message as it was, whatever the gateway says and whenever it breaks off',
  async () => {
    const { client } = await realN8n();
    const holds = holdCases().filter(({ mode }) => mode === 'retry');
    const cases = [...wordingCases(WORDINGS), ...otherCases(), ...holds];
    const verdicts = await prove(client, cases, { parallel: Math.ceil(cases.length / 2) });
    expect(verdicts.filter(({ faults }) => faults.length > 0)).toEqual([]);
  },
);

it.concurrent('reports each message as it was, however the gateway speaks of what it refuses', async () => {
  const { client } = await realN8n();
  const cases = allRefusalCases()
    .filter((one) => !isPatient(one))
    .filter((_, place) => place % 10 === 0);
  const verdicts = await proveRefusals(client, cases, { parallel: cases.length });
  expect(verdicts.filter(({ faults }) => faults.length > 0)).toEqual([]);
});
