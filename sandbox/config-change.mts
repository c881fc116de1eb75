import { isObject } from './checks.mts';
import { CONFIG_RULES } from './config-rules.mts';
import type { SandboxConfig } from './config.mts';
import { InputError } from './input-error.mts';
import type { Rule } from './input-rules.mts';
import type { JsonObject } from './types.mts';

/** The rules without the names of the settings, as they are walked through. */
interface Rules {
  [name: string]: Rule | Rules;
}

/**
 * Changes settings in place. Lists and outcomes are replaced whole, everything else is merged.
 * @throws InputError naming a setting that does not exist, or a value that it can't have; then nothing was changed
 */
export function changeConfig(config: SandboxConfig, change: object): void {
  if (!isObject(change)) throw new InputError('Settings have to be an object');
  const assignments: Array<() => void> = [];
  collect(config as unknown as JsonObject, CONFIG_RULES as unknown as Rules, change, '', assignments);
  for (const assign of assignments) assign();
}

function collect(
  target: JsonObject,
  rules: Rules,
  change: JsonObject,
  path: string,
  assignments: Array<() => void>,
): void {
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue;
    const full = path + name;
    if (!Object.hasOwn(rules, name)) throw new InputError(`Unknown setting: ${full}`);
    const rule = rules[name];
    if (typeof rule !== 'function') {
      if (!isObject(value)) throw new InputError(`Setting ${full} has to be an object`);
      collect(target[name] as JsonObject, rule, value, `${full}.`, assignments);
      continue;
    }
    const problem = rule(value, full);
    if (problem) throw new InputError(`Setting ${problem}`);
    assignments.push(() => {
      target[name] = value;
    });
  }
}
