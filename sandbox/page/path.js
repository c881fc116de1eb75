import { channelName } from './channels.js';
import { clock, el, icon, textOf } from './dom.js';
import { isUndecided, tone } from './store.js';

/** The fate of each channel that was tried: the last entry of the history for the channel. */
function results({ history, channels }) {
  const found = new Map();
  for (const entry of history) found.set(entry.type ?? channels[0], entry);
  return found;
}

function step(message, channel, index) {
  const now = message.channels.indexOf(message.channel);
  const entry = results(message).get(channel);
  const state =
    index > now ? 'next' : index < now ? 'failed' : isUndecided(message) ? 'current' : tone(message.status);
  const drawing = { next: 'waiting', failed: 'failed', bad: 'failed', current: 'send', good: 'check' }[state];
  const said = {
    next: now === index - 1 && tone(message.status) !== 'good' ? 'Next' : 'Not needed yet',
    failed: textOf(entry?.error) || 'Failed',
    bad: textOf(message.error) || 'Failed',
    current: 'Waiting',
    good: textOf(message.status).toLowerCase(),
  }[state];
  const arrived = tone(message.status) === 'good' && state === 'next';
  return el(
    'li',
    { class: `step ${state === 'bad' ? 'failed' : state}`, 'data-channel': channel },
    el('span', { class: 'step-icon' }, icon(drawing)),
    el('strong', {}, channelName(channel)),
    el('span', { class: 'step-said' }, arrived ? 'Not needed' : said),
    entry && state !== 'next' ? clock(entry.at) : null,
  );
}

/** The channels of a message in the order in which they are tried, and how far it has come; null for a single one. */
export function path(message) {
  if (message.channels.length < 2) return null;
  return el(
    'ol',
    { class: 'path', 'aria-label': 'Channels in the order in which they are tried' },
    message.channels.map((channel, index) => step(message, channel, index)),
  );
}
