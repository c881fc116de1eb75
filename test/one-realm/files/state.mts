/** What a module of ours remembers. */
export const state = { isNew: true };
