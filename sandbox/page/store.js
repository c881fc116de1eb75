/** What the page knows: what the sandbox tells it, and what a person looks at. Everything else is made from this. */

/** Messages that are kept here; the sandbox itself keeps more. */
const MOST_MESSAGES = 5000;
const MOST_RECORDS = 1000;

const MEMORY = 'sandbox-phone';

export const messages = new Map();
/** Requests, callbacks and refused operations by their running number. */
export const requests = new Map();
export const callbacks = new Map();
export const refusals = new Map();

/** Settings, faults and addresses as the sandbox has them now; undefined until it said so. */
export let situation;

/** What a person looks at: the phones on the screen, and what is in the panel beside them. */
export const view = {
  /** Numbers of the phones shown; undefined: the page chooses as many as fit. */
  shown: undefined,
  /** The newest message when they were chosen. */
  chosenAt: Infinity,
  /** The phone that a chosen number takes the place of. */
  active: undefined,
  search: '',
  /** `message`, `activity`, `faults` or `setup`; undefined: no panel. */
  panel: undefined,
  /** The message whose details are shown. */
  msgId: undefined,
};

/** The newest message that was seen of each number. */
const seen = new Map();
let instance;

const listeners = new Set();

/** Calls a function after every change. */
export function onChange(listener) {
  listeners.add(listener);
}

/** Tells everybody that something changed. */
export function changed() {
  for (const listener of listeners) listener();
}

/** Takes in updates of the sandbox. */
export function takeAll(updates) {
  for (const update of updates) take(update);
  changed();
}

/** Takes in what the sandbox sends: everything at first, later what changed. */
function take(news) {
  for (const message of news.messages ?? []) messages.set(message.msgId, message);
  for (const record of news.requests ?? []) requests.set(record.seq, record);
  for (const record of news.callbacks ?? []) callbacks.set(record.seq, record);
  for (const record of news.refusals ?? []) refusals.set(record.seq, record);
  if (news.situation) situation = news.situation;
  trim(messages, MOST_MESSAGES);
  for (const list of [requests, refusals]) trim(list, MOST_RECORDS);
  trim(callbacks, MOST_MESSAGES);
  derived = undefined;
}

/** Starts over with everything that the sandbox knows. */
export function start(snapshot) {
  for (const list of [messages, requests, callbacks, refusals]) list.clear();
  if (instance !== snapshot.situation.instance) {
    instance = snapshot.situation.instance;
    remember();
  }
  takeAll([snapshot]);
}

/** Forgets everything that happened; what is remembered of a person's choices goes with it. */
export function forget() {
  for (const list of [messages, requests, callbacks, refusals, seen]) list.clear();
  Object.assign(view, { shown: undefined, active: undefined, msgId: undefined });
  if (view.panel === 'message') view.panel = undefined;
  derived = undefined;
  keep();
  changed();
}

function trim(list, most) {
  for (const key of list.keys()) {
    if (list.size <= most) return;
    list.delete(key);
  }
}

/** Reads what this browser remembers of this very sandbox: its numbers start anew with every other one. */
function remember() {
  seen.clear();
  try {
    const kept = JSON.parse(localStorage.getItem(MEMORY) ?? '{}');
    if (kept.instance !== instance) return;
    for (const [phone, msgId] of kept.seen ?? []) seen.set(phone, msgId);
    view.shown = Array.isArray(kept.shown) ? kept.shown : undefined;
  } catch {
    // A browser that keeps nothing, or kept something else: the page starts without a memory.
  }
}

/** Has this browser remember what was seen and which phones are shown, for a reload. */
export function keep() {
  try {
    localStorage.setItem(MEMORY, JSON.stringify({ instance, seen: [...seen], shown: view.shown }));
  } catch {
    // Without a memory the page still works; badges come back after a reload.
  }
}

/** What is made of all messages and callbacks, until one of them changes: there may be thousands. */
let derived;

function derive() {
  if (derived) return derived;
  const byPhone = new Map();
  for (const message of messages.values()) {
    const found = byPhone.get(message.phone) ?? { phone: message.phone, list: [], unread: 0 };
    found.list.push(message);
    if (message.msgId > (seen.get(message.phone) ?? 0)) found.unread += 1;
    byPhone.set(message.phone, found);
  }
  const byMessage = new Map();
  for (const record of callbacks.values()) {
    if (record.test || record.msgId === undefined) continue;
    const list = byMessage.get(record.msgId);
    if (list) list.push(record);
    else byMessage.set(record.msgId, [record]);
  }
  const newest = ({ list }) => list.at(-1).msgId;
  const sorted = [...byPhone.values()].sort((a, b) => newest(b) - newest(a));
  derived = { byPhone, byMessage, sorted };
  return derived;
}

/** The threads, newest first: number, messages, the last of them, and how many were not seen. */
export function threads() {
  return derive().sorted;
}

/** Messages of one number, oldest first. */
export function thread(phone) {
  return derive().byPhone.get(phone)?.list ?? [];
}

/** Notes that all messages of some numbers were seen. */
export function see(phones) {
  const news = threads().filter(({ phone, unread }) => unread > 0 && phones.includes(phone));
  for (const { phone, list } of news) seen.set(phone, list.at(-1).msgId);
  if (news.length === 0) return;
  derived = undefined;
  keep();
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
