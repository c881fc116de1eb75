/** Names such as `replies[0][message]`, by which forms nest values. */
const NESTED_NAME = /^([^[\]]{1,64})((?:\[[^[\]]{0,64}\]){1,6})$/;
const INDEX = /^(0|[1-9]\d{0,3})$/;
/** A form with more fields isn't expanded; no callback needs as many. */
const MAX_FIELDS = 5000;

type Branch = Map<string, string | Branch>;

/**
 * Turns form fields with names such as `replies[0][message]` into nested objects and lists. Returns the fields
 * unchanged where no name is nested, a value isn't a string (so this isn't a form), names contradict each other, or
 * there are more than 5000 fields.
 */
export function expandBrackets(fields: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(fields);
  if (names.length > MAX_FIELDS || !names.some((name) => NESTED_NAME.test(name))) return fields;
  const root: Branch = new Map();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || !place(root, pathOf(name), value)) return fields;
  }
  return Object.fromEntries(Array.from(root, ([name, value]) => [name, plain(value)]));
}

function pathOf(name: string): string[] {
  const match = NESTED_NAME.exec(name);
  if (match === null) return [name];
  const [, first, rest] = match;
  return [first, ...rest.slice(1, -1).split('][')];
}

/** Puts a value at the end of its path. Returns false where the path is taken. */
function place(root: Branch, path: string[], value: string): boolean {
  let branch = root;
  for (const [depth, step] of path.entries()) {
    // `[]` appends.
    const key = step === '' && depth > 0 ? String(branch.size) : step;
    const there = branch.get(key);
    if (depth === path.length - 1) {
      if (there !== undefined) return false;
      branch.set(key, value);
    } else if (there === undefined) {
      const next: Branch = new Map();
      branch.set(key, next);
      branch = next;
    } else if (typeof there === 'string') {
      return false;
    } else {
      branch = there;
    }
  }
  return true;
}

function plain(value: string | Branch): unknown {
  if (typeof value === 'string') return value;
  const keys = Array.from(value.keys());
  if (keys.every((key) => INDEX.test(key))) {
    const inOrder = keys.sort((a, b) => Number(a) - Number(b));
    return inOrder.map((key) => plain(value.get(key) as string | Branch));
  }
  return Object.fromEntries(Array.from(value, ([key, inner]) => [key, plain(inner)]));
}
