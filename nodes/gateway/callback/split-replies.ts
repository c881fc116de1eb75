import type { CallbackEvent } from './parse';

/** Splits events with several replies into one event for each reply; other events stay as they are. */
export const splitReplies = (events: CallbackEvent[]): CallbackEvent[] =>
  events.flatMap((event) =>
    event.replies?.length ? event.replies.map((reply) => ({ ...event, replies: [reply] })) : [event],
  );
