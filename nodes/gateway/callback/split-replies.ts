import type { CallbackEvent } from './parse';

/** One event for each reply, its `replies` holding that one; events without replies stay as they are. */
export const splitReplies = (events: CallbackEvent[]): CallbackEvent[] =>
  events.flatMap((event) =>
    event.replies && event.replies.length > 1
      ? event.replies.map((reply) => ({ ...event, replies: [reply] }))
      : [event],
  );
