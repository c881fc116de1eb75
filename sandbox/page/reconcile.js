/**
 * Brings the children of an element in line with a list, and touches only what changed: what a person has
 * scrolled or put the focus on stays as it is while new messages come in.
 */

/** Nodes and versions that each element shows now, by key. */
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
    else {
      const node = make();
      node.dataset.key = key;
      after.set(key, { version, node });
    }
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

function focusWithin(parent) {
  const active = document.activeElement;
  const item = [...parent.children].find((child) => child.contains(active));
  return item && { active, key: item.dataset.key };
}

/** Puts the focus back on the element that had it, or on what took its place under the same name. */
function restoreFocus(focus, after) {
  if (!focus || document.activeElement === focus.active) return;
  const { active, key } = focus;
  const again = active.isConnected
    ? active
    : after.get(key)?.node.querySelector(`[data-focus="${CSS.escape(active.dataset.focus ?? '')}"]`);
  again?.focus({ preventScroll: true });
}
