import { randomInt } from 'crypto';

import { piecesOf } from './direct-read';

/** A place in a text, such as the one of a link: its mark as the author wrote it, such as "{link}". */
export interface Place {
  mark: string;
}

/**
 * A text with places, in the order in which they are read. A mark is a place only where the author of the workflow wrote it
 * into the parameter; the same letters in what the data holds are letters. Plain JSON.
 */
export type MarkedText = ReadonlyArray<string | Place>;

/** Whether the text has a place with this mark. */
export const hasMark = (text: MarkedText, mark: string): boolean =>
  text.some((part) => typeof part !== 'string' && part.mark === mark);

/** Returns the text with what belongs to its places, by mark; what isn't given stays as the author wrote it. */
export const fillMarks = (text: MarkedText, values: Readonly<Record<string, string>>): string =>
  text.map((part) => (typeof part === 'string' ? part : (values[part.mark] ?? part.mark))).join('');

/** Returns the text with every stretch between its places changed. */
export const changeTexts = (text: MarkedText, change: (stretch: string) => string): MarkedText =>
  text.map((part) => (typeof part === 'string' ? change(part) : part));

/** Stands around the number of a mark while n8n evaluates a text: nobody who writes the data can know it. */
const FENCE = `\uFDD2${Array.from({ length: 6 }, () => randomInt(1000, 10_000)).join('')}`;

/** A string of code, with what is escaped in it. */
const CODE_STRING = /(["'`])(?:\\[^]|(?!\1)[^\\])*\1/g;

/** Puts stand-ins, which no data can hold, in place of marks, and takes them out of what n8n made of the text. */
export class StandIns {
  private readonly marks: readonly string[];

  constructor(marks: readonly string[]) {
    this.marks = marks;
  }

  /** Whether any of the marks is in a text. */
  readonly areIn = (text: string): boolean => this.marks.some((mark) => text.includes(mark));

  /** Returns text with stand-ins in place of its marks. */
  readonly putInto = (text: string): string =>
    this.marks.reduce((done, mark, i) => done.replaceAll(mark, `${FENCE}${i}${FENCE}`), text);

  /** Returns an expression with stand-ins where its author wrote marks: in its text, and in the strings of its code. */
  putIntoExpression(expression: string): string {
    const pieces = piecesOf(expression).map((piece, i) =>
      i % 2 === 0 ? this.putInto(piece) : `{{${piece.replace(CODE_STRING, this.putInto)}}}`,
    );
    return pieces.join('');
  }

  /** Returns the text whose places are where its stand-ins were. */
  readonly toMarkedText = (text: string): MarkedText =>
    text
      .split(FENCE)
      .map((part, i) => (i % 2 === 0 ? part : { mark: this.marks[Number(part)] }))
      .filter((part) => part !== '');
}
