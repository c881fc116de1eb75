/**
 * Proves in a real n8n, with the packed package, that nothing is sent twice and everything is reported as it was,
 * whatever a gateway says, whenever it breaks (test/support/proof.mts), and however it speaks of what it refuses
 * (test/support/refusal-cases.mts). Takes some minutes.
 *
 * Usage: npm run proof [-- --only <text>] [--refusals]   ends with 1 if anything is not true; `only` chooses cases by
 * their names, `refusals` those of the latter kind
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { Verdict } from '../test/support/proof.mts';
import { holdCases, otherCases, prove, wordingCases } from '../test/support/proof.mts';
import { proveRefusals } from '../test/support/prove-refusals.mts';
import { allRefusalCases } from '../test/support/refusal-cases.mts';
import { startWithOwner } from './n8n-host/n8n-process.mts';
import { build, pack } from './package.mts';
import { TMP } from './paths.mts';

const PARALLEL = 20;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, refusals: { type: 'boolean', default: false } },
  });
  const isChosen = ({ name }: { name: string }): boolean => name.includes(values.only);
  const cases = values.refusals ? [] : [...holdCases(), ...otherCases(), ...wordingCases()].filter(isChosen);
  const refusals = allRefusalCases().filter(isChosen);
  await build();
  const { n8n, client } = await startWithOwner({ folder: join(TMP, 'proof-n8n'), tarball: await pack() });
  try {
    console.log(`n8n ${n8n.version}, ${cases.length} cases of 60 messages, ${refusals.length} of refusals`);
    const settings = {
      parallel: PARALLEL,
      done({ name, faults, seconds }: Verdict) {
        console.log(
          `${faults.length === 0 ? 'true ' : 'FALSE'} ${seconds.toFixed(1).padStart(6)} s  ${name}`,
        );
        for (const fault of faults) console.log(`               ${fault}`);
      },
    };
    const verdicts = [
      ...(await proveRefusals(client, refusals, settings)),
      ...(await prove(client, cases, settings)),
    ];
    const wrong = verdicts.filter(({ faults }) => faults.length > 0);
    console.log(`${verdicts.length - wrong.length} of ${verdicts.length} are true`);
    return wrong.length === 0 ? 0 : 1;
  } finally {
    await n8n.stop();
  }
}

process.exitCode = await main();
