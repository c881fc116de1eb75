/** Draws which messages have a Send Once Key, and who sends them once more. */
import type { Random } from './random.mts';
import type { ExecutionPlan, ItemPlan, NodeRunPlan } from './scenario.mts';

/** Of the operations that take a key, those that are drawn. */
const WITH_KEY = ['sendSms', 'sendViberSms'];

/**
 * Gives the messages of some scenarios keys in place of ids of the user's own. Some rows repeat another one of their run,
 * and other executions send some of the same rows again: of another workflow, or of this one after a crash.
 */
export function drawKeys(random: Random, executions: ExecutionPlan[]): void {
  const [first] = executions;
  const nodes = new Set(first.runs.map(({ node }) => node));
  if (!random.chance(0.3) || [...nodes].some(({ operation }) => !WITH_KEY.includes(operation))) return;
  for (const node of nodes) node.options.sendOnceKey = '={{ $json.key }}';
  for (const { runs } of executions.filter(({ kind }) => kind === 'first')) giveKeys(random, runs);
  const number = Number(first.id);
  for (let other = 10; other < 12 && random.chance(0.6); other++) {
    executions.push({
      id: String(number + other),
      kind: 'first',
      delay: random.pick([0, 0, 0.1, 1, 3, 40, 90, 3 * 86_400]) * 1000,
      runs: first.runs.map((run) => ({ ...run, items: again(random, run.items, other) })),
    });
  }
}

function giveKeys(random: Random, runs: NodeRunPlan[]): void {
  const repeatRate = random.pick([0, 0, 0.02, 0.2]);
  for (const { items } of runs) {
    items.forEach((item, index) => {
      delete item.messageId;
      item.key = `order ${random.between(1, 50)}`;
      if (index > 0 && random.chance(repeatRate)) {
        const { text } = item;
        Object.assign(item, items[random.between(0, index - 1)], { text });
      }
    });
  }
}

/** The same rows with another text, some of them gone and some with another key, in the order of a list that has changed. */
function again(random: Random, items: ItemPlan[], other: number): ItemPlan[] {
  const kept = random.pick([1, 1, 0.5]);
  const changed = random.pick([0, 0, 0.1]);
  const rows = items
    .filter((_, index) => index === 0 || random.chance(kept))
    .map((item, index) => ({ ...item, text: `${item.text} Again ${other}/${index}.` }));
  const keys = new Map<string, string>();
  return rows.map((item) => {
    const name = `${item.key}/${item.phone}`;
    if (!keys.has(name)) keys.set(name, random.chance(changed) ? `${item.key} again` : (item.key as string));
    return { ...item, key: keys.get(name) };
  });
}
