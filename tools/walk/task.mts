import type { Studio } from '../pictures/studio.mts';
import type { Newcomer } from './newcomer.mts';

/** Numbers that are reserved for fiction. */
export const PHONE = '447700900123';
export const ANOTHER = '447700900102';

export const TEXT = 'Your order is ready';

/** Tasks by their titles: each goes from an empty workflow to a real output, and throws where it can't be done. */
export type Tasks = Record<string, (walker: Newcomer, studio: Studio) => Promise<void>>;
