import type { Question } from '../../gateway/pages/question-page';
import type { SleepNote } from '../sleeping/sleep';
import type { ResponseType } from './question';
import type { ReplyWords } from './words';

/** Somebody who was asked. */
export interface Recipient {
  phone: number;
  /** Id of the message. */
  id: number | string;
}

/** What a sleeping execution keeps of its question. Plain JSON. */
export interface ApprovalNote extends SleepNote {
  /** Index of the run of the node that asked. */
  run: number;
  responseType: ResponseType;
  question: Question & SleepNote[string];
  recipients: Array<Recipient & SleepNote[string]>;
  /** Goes along with the form of the page. */
  token: string;
  words?: ReplyWords & SleepNote[string];
}

/** Returns a note as the note of a question; undefined if it is another's. */
export const asApprovalNote = (note: SleepNote | undefined): ApprovalNote | undefined =>
  note !== undefined && typeof note.token === 'string' && Array.isArray(note.recipients)
    ? (note as ApprovalNote)
    : undefined;
