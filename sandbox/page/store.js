/** The state of the page: news from the sandbox, and the place that a person looks at. The rest of the page is made from it. */

/** Entries of each kind that are kept here; the sandbox itself keeps more. */
const MOST = 5000;

export const messages = new Map();
/** Requests and callbacks by their running number. */
export const requests = new Map();
export const callbacks = new Map();
const ALL = { messages, requests, callbacks };

/** Settings as the sandbox has them now; undefined until it said so. */
export let situation;

/** The place that a person looks at. */
export const view = {
  /** Numbers of the phones on the screen, from left to right. */
  shown: [],
  /** The phone that was used last. */
  active: undefined,
  search: '',
};

const listeners = new Set();

/** Calls a function after every change. */
export function onChange(listener) {
  listeners.add(listener);
}

/** Tells everybody that something changed. */
export function changed() {
  for (const listener of listeners) listener();
}

/** Takes in what the sandbox sends: what changed. */
export function take(updates) {
  for (const news of updates) {
    for (const [name, list] of Object.entries(ALL)) {
      for (const one of news[name] ?? []) list.set(name === 'messages' ? one.msgId : one.seq, one);
      for (const key of list.keys()) if (list.size > MOST) list.delete(key);
    }
    situation = news.situation ?? situation;
  }
  derived = undefined;
  changed();
}

/** Starts over with everything that the sandbox knows. */
export function start(snapshot) {
  for (const list of Object.values(ALL)) list.clear();
  take([snapshot]);
}

/** Forgets everything that happened. */
export function forget() {
  start({});
}

/** Values made of all messages and callbacks, kept until one of these changes: there may be thousands. */
let derived;

function derive() {
  if (derived) return derived;
  const byPhone = Map.groupBy(messages.values(), ({ phone }) => phone);
  const byMessage = Map.groupBy(callbacks.values(), ({ msgId }) => msgId);
  const threads = [...byPhone].map(([phone, list]) => ({ phone, list }));
  threads.sort((a, b) => b.list.at(-1).msgId - a.list.at(-1).msgId);
  derived = { byPhone, byMessage, threads };
  return derived;
}

/** The threads, newest first: number and messages. */
export function threads() {
  return derive().threads;
}

/** Messages of one number, oldest first. */
export function thread(phone) {
  return derive().byPhone.get(phone) ?? [];
}

/** Callbacks of a message, oldest first. */
export function callbacksOf(msgId) {
  return derive().byMessage.get(msgId) ?? [];
}

const UNDECIDED = new Set(['ACCEPTED', 'QUEUED', 'ROUTING']);
const ARRIVED = new Set(['DELIVERED', 'READ', 'REPLIED', 'PARTIALLY DELIVERED']);

/** Whether nothing has become of a message yet. */
export function isUndecided({ status }) {
  return UNDECIDED.has(status);
}

/** `good`, `bad` or `open`: what a status means. */
export function tone(status) {
  if (ARRIVED.has(status)) return 'good';
  return UNDECIDED.has(status) ? 'open' : 'bad';
}
