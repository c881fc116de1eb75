/**
 * Makes an element. Text goes in as text nodes only, so nothing in a message can become markup.
 * @param {string} tag
 * @param {Record<string, unknown>} [properties] `class`, `data-*` and `aria-*` become attributes, `on*` listeners
 * @param {...(Node | string | null | undefined | false)} children
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name.startsWith('data-') || name.startsWith('aria-') || name === 'for') {
      element.setAttribute(name, value);
    } else element[name] = value;
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** A link that opens outside; anything but http and https is shown as plain text. */
export function link(address, caption, className = '') {
  const safe = typeof address === 'string' && /^https?:\/\//i.test(address);
  if (!safe) return el('span', { class: className, title: String(address) }, caption);
  return el(
    'a',
    { class: className, href: address, target: '_blank', rel: 'noreferrer noopener', title: address },
    caption,
  );
}

/** Hours and minutes of a time, with seconds in its title. */
export function clock(time) {
  const date = new Date(time);
  const text = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return el('time', { dateTime: date.toISOString(), title: date.toLocaleString() }, text);
}

/** A phone number in groups that the eye can hold. */
export function prettyPhone(phone) {
  const digits = String(phone);
  if (digits.length < 8) return `+${digits}`;
  const groups = [
    digits.slice(0, -9),
    digits.slice(-9, -7),
    digits.slice(-7, -4),
    digits.slice(-4, -2),
    digits.slice(-2),
  ];
  return `+${groups.filter(Boolean).join(' ')}`;
}
