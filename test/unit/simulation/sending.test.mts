/**
 * Sends through gateways made by hand, on a virtual clock: what the client says is true, in whatever goes wrong.
 * `npm run simulate -- --seed <n>` shows what happens in a scenario.
 */
import { present } from '../../support/simulation-of-sending/clients.mts';
import type { Client } from '../../support/simulation-of-sending/node.mts';
import { simulation } from '../../support/simulation-of-sending/simulate.mts';
import { WORLDS } from '../../support/simulation-of-sending/worlds.mts';

const CLIENT = '../../../nodes/gateway/client';
const FILES = ['doubt', 'progress', 'send', 'status', 'wait', 'words'] as const;

type Exports = Record<string, any>;

/** Functions that take the place of those of a file. */
type Wrong = Partial<Record<(typeof FILES)[number], (actual: Exports) => Exports>>;

function clientWith(wrong: Wrong): Client {
  let client: Client | undefined;
  jest.isolateModules(() => {
    for (const file of FILES) {
      const path = `${CLIENT}/${file}`;
      const change = wrong[file];
      if (!change) jest.dontMock(path);
      else
        jest.doMock(path, () => {
          const actual = jest.requireActual<Exports>(path);
          return { ...actual, ...change(actual) };
        });
    }
    client = present({ ...jest.requireActual(`${CLIENT}/send`), ...jest.requireActual(`${CLIENT}/status`) });
  });
  return client as Client;
}

const client = clientWith({});

it('keeps every promise, seed after seed', async () => {
  const run = simulation(client);
  const broken: string[] = [];
  for (let seed = 1; seed <= 2000; seed++) {
    for (const { invariant, words } of (await run(seed)).violations)
      broken.push(`${invariant}: ${words} (npm run simulate -- --seed ${seed})`);
  }
  expect(broken).toEqual([]);
});
