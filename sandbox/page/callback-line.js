/** The fate of the callback of a message, and advice where nobody takes it. */
import { el, icon, textOf } from './dom.js';
import { callbacksOf, isUndecided } from './store.js';

/** Types whose status goes to the notification address of the account, whatever they say themselves. */
export const BY_ACCOUNT = new Set(['pipeline', 'voice']);

function line(kind, drawing, ...children) {
  return el('p', { class: `line ${kind}` }, icon(drawing), el('span', {}, children));
}

function withoutAddress(message) {
  const decided = !isUndecided(message);
  const kind = decided ? 'bad' : 'quiet';
  if (message.type === 'call/otp')
    return line('quiet', 'callback', 'Code calls are not reported by callback.');
  if (BY_ACCOUNT.has(message.type)) {
    return line(
      kind,
      decided ? 'warning' : 'callback',
      decided ? 'No callback was sent. ' : '',
      'Its status goes to the notification address, and none is set: see Details.',
    );
  }
  if (!decided) return null;
  return line('quiet', 'callback', 'No callback was sent: the message carries no callback address.');
}

/** The meaning of n8n's answers other than 2xx, with advice. */
function advice(url, status, problem) {
  const { pathname } = new URL(url);
  if (status === 0)
    return `No answer${problem ? ` (${problem})` : ''}. Does n8n run at ${new URL(url).host}?`;
  if (status === 404 && pathname.includes('/webhook-test/')) {
    return 'Nobody listens: press “Execute step” in the trigger, then decide again.';
  }
  if (status === 404 && pathname.includes('/webhook-waiting/')) {
    return 'Nobody listens: the execution no longer waits for it.';
  }
  if (status === 404) return 'Nobody listens: publish the workflow of this address.';
  if (status === 409) return 'The execution still runs; n8n takes the callback once it waits.';
  if (status === 401 || status === 403)
    return 'It was refused: check “Secret” and “Allowed IP Addresses” of the trigger.';
  return 'It was not taken.';
}

/** Why a trigger that took a callback started nothing, in its own words; empty where it didn't say so. */
function whyUnused(answer) {
  try {
    const { started, why } = JSON.parse(answer);
    return started === false ? textOf(why) : '';
  } catch {
    return '';
  }
}

/**
 * One callback in a sentence.
 * @returns its kind (`good`, `bad`, `quiet`) and the sentence
 */
export function callbackSaid({ url, state, tries, attempts, nextAt }) {
  const last = tries.at(-1);
  if (state === 'not-allowed')
    return ['bad', `was not sent to ${url}: only addresses on this machine are contacted`];
  if (state === 'acknowledged') {
    const again = tries.length > 1 ? `, try ${tries.length}` : '';
    const { ms = 0, answer } = attempts.at(-1) ?? {};
    const unused = whyUnused(answer);
    return [
      unused ? 'quiet' : 'good',
      `→ ${last} in ${ms} ms${again}${unused && `. Nothing started: ${unused}`}`,
    ];
  }
  if (last === undefined) return ['quiet', 'is being sent'];
  const times = tries.length === 1 ? '' : `, ${tries.length} tries`;
  const more = state === 'given-up' ? ' Given up.' : nextAt ? ' It is tried again.' : '';
  return ['bad', `→ ${last || 'no answer'}${times}. ${advice(url, last, attempts.at(-1)?.problem)}${more}`];
}

/** The line below a message: its latest callback, or why there is none. */
export function callbackLine(message) {
  const record = callbacksOf(message.msgId).at(-1);
  if (!record) {
    if (!message.hook) return withoutAddress(message);
    if (isUndecided(message)) return null;
    return line('bad', 'warning', 'No callback was sent, as the settings of the sandbox want it.');
  }
  const [kind, said] = callbackSaid(record);
  const drawing = { good: 'ok', bad: 'warning', quiet: 'callback' }[kind];
  const text = line(kind, drawing, `Callback ${textOf(record.payload.status)} ${said}`);
  text.title = record.url;
  return text;
}
