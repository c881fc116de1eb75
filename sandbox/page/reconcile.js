/**
 * Brings the children of an element in line with a list, and touches only what changed: what a person has opened,
 * scrolled or put the focus on stays as it is while new messages come in.
 */

/** What each element shows now: nodes and versions by key. */
const shown = new WeakMap();

/**
 * @param {Element} parent an element that has no other children
 * @param {Array<{ key: string, version: string, make: () => Element }>} list what it is to show, in order; a node is
 *   made anew when its version is another one
 */
export function reconcile(parent, list) {
  const before = shown.get(parent) ?? new Map();
  const after = new Map();
  const focus = focusWithin(parent);
  for (const { key, version, make } of list) {
    const old = before.get(key);
    if (old?.version === version) after.set(key, old);
    else after.set(key, { version, node: remade(old?.node, key, make) });
  }
  for (const [key, { node }] of before) if (after.get(key)?.node !== node) node.remove();
  let place = parent.firstChild;
  for (const { node } of after.values()) {
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  shown.set(parent, after);
  restoreFocus(focus, after);
}

/** A new node in the place of an old one: what was scrolled stays scrolled. */
function remade(old, key, make) {
  const node = make();
  node.dataset.key = key;
  for (const [index, box] of [...(old?.querySelectorAll('[data-scroll]') ?? [])].entries()) {
    const left = box.scrollLeft;
    requestAnimationFrame(() => (node.querySelectorAll('[data-scroll]')[index].scrollLeft = left));
  }
  return node;
}

function focusWithin(parent) {
  const active = document.activeElement;
  if (!active || !parent.contains(active) || active === parent) return undefined;
  const item = [...parent.children].find((child) => child.contains(active));
  return item && { active, key: item.dataset.key, name: active.dataset.focus, itself: active === item };
}

/** Puts the focus back on what took the place of the element that had it, or on its neighbour of the same name. */
function restoreFocus(focus, after) {
  if (!focus || document.activeElement === focus.active) return;
  const node = after.get(focus.key)?.node;
  if (!node) return;
  if (focus.active.isConnected) focus.active.focus({ preventScroll: true });
  else if (focus.itself) node.focus({ preventScroll: true });
  else {
    const same = [...node.querySelectorAll('[data-focus]')].find((one) => one.dataset.focus === focus.name);
    (same ?? node.querySelector('button, [tabindex]'))?.focus({ preventScroll: true });
  }
}
