import { PATHS } from './icons.js';

/**
 * Makes an element. Text goes in as text nodes only, so nothing in a message can become markup.
 * @param {string} tag
 * @param {Record<string, unknown>} [properties] `class`, `data-*`, `aria-*`, `role` and `for` become attributes, `on*`
 *   listeners
 * @param {...(Node | string | null | undefined | false)} children
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (/^(data-|aria-|role$|for$)/.test(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  append(element, children);
  return element;
}

/** Appends what there is of a list of children; lists inside of it are taken apart. */
function append(element, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

const SVG = 'http://www.w3.org/2000/svg';

/** A drawing of icons.js in the colour of the text around it, which says nothing to a screen reader. */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  for (const d of PATHS[name] ?? []) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}

/**
 * Any JSON value as text: a text as it is, everything else as JSON. Values of a message can be anything, also objects
 * that can't be turned into text in the usual way.
 */
export function textOf(value) {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A link that opens outside; anything but http and https is shown as plain text. */
export function link(address, caption, className = '') {
  const text = textOf(address);
  if (!/^https?:\/\//i.test(text)) return el('span', { class: className, title: text }, caption);
  return el(
    'a',
    { class: className, href: text, target: '_blank', rel: 'noreferrer noopener', title: text },
    caption,
  );
}

/** Hours and minutes of a time, with the date in its title. @param exact with seconds and milliseconds */
export function clock(time, exact = false) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return el('span', {}, textOf(time));
  const options = exact
    ? { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }
    : { hour: '2-digit', minute: '2-digit' };
  const text = date.toLocaleTimeString([], { hour12: false, ...options });
  return el('time', { dateTime: date.toISOString(), title: date.toLocaleString() }, text);
}

/** Country codes of one and two digits; all others have three. */
const SHORT_CODES = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** A phone number in groups that the eye can hold. */
export function prettyPhone(phone) {
  const digits = textOf(phone);
  if (!/^\d{8,15}$/.test(digits)) return `+${digits}`;
  const code = SHORT_CODES.exec(digits)?.[0] ?? digits.slice(0, 3);
  const rest = digits.slice(code.length);
  return `+${[code, ...grouped(code, rest)].join(' ')}`;
}

function grouped(code, rest) {
  if (code === '44' && rest.length === 10) return [rest.slice(0, 4), rest.slice(4)];
  if (rest.length === 10) return [rest.slice(0, 3), rest.slice(3, 6), rest.slice(6)];
  if (rest.length === 9) return [rest.slice(0, 2), rest.slice(2, 5), rest.slice(5, 7), rest.slice(7)];
  return rest.match(/\d{3,4}(?=\d{3}|$)|\d+/g) ?? [rest];
}

/** A button with a caption, an icon, or both. @param options `icon`, `class`, `title`, `onclick` and other properties */
export function button(caption, options = {}) {
  const { icon: drawing, ...properties } = options;
  return el(
    'button',
    { type: 'button', ...properties },
    drawing && icon(drawing),
    caption && el('span', {}, caption),
  );
}

/** A button that puts a text on the clipboard and says so. */
export function copyButton(text, what) {
  const copy = button('Copy', {
    icon: 'copy',
    class: 'copy',
    'aria-label': `Copy ${what}`,
    'data-focus': `copy ${what}`,
    onclick: async () => {
      copy.lastChild.textContent = (await copied(text)) ? 'Copied' : 'Press Ctrl+C';
      setTimeout(() => (copy.lastChild.textContent = 'Copy'), 1500);
    },
  });
  return copy;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without permission the text is selected instead, for a person to copy.
    return false;
  }
}

/** Names of the details that a person has opened: these are open again when their message is drawn anew. */
const opened = new Set();

/** A part that a person opens, which is filled when it opens. @param make returns its children */
export function fold(name, caption, make) {
  const element = el(
    'details',
    { class: 'fold', open: opened.has(name) },
    el('summary', { 'data-focus': `fold ${name}` }, caption),
  );
  const fill = () => element.childElementCount === 1 && append(element, [make()]);
  if (element.open) fill();
  element.addEventListener('toggle', () => {
    if (element.open) fill();
    opened[element.open ? 'add' : 'delete'](name);
  });
  return element;
}

/** JSON for a person to read, in a box that scrolls by itself. */
export function jsonBox(value, label) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return el('pre', { class: 'json', tabIndex: 0, role: 'region', 'aria-label': label }, text ?? '');
}
