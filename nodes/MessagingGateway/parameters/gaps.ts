import { isUnseen, withoutUnseen } from '../../gateway/text/characters';
import { isObject } from '../../gateway/text/json';
import type { DirectRead } from './direct-read';
import { compileReference, namesIn, piecesOf } from './direct-read';

/** A parameter with placeholders such as `{{ $json.name }}` that come to nothing for an item. */
export interface Gap {
  /** The path of the parameter, such as `smsMessage` or `viberCarousel.slides.1.caption`. */
  parameter: string;

  /** The placeholders that come to nothing, with their braces. */
  sources: string[];
}

/** Returns the gaps of an item, by its `json`. */
export type FindGaps = (json: unknown) => readonly Gap[];

/** Returns the gap of an item in one parameter, if it has one. */
type FindGap = (json: unknown) => Gap | undefined;

/** Nearly all items have none: 10,000 empty lists would be made for nothing. */
const NO_GAPS: readonly Gap[] = [];

/**
 * Compiles the raw parameters of a node, once for a run. Only placeholders that take a value from the item as it is can be
 * gaps: an expression that does more, such as `{{ $json.name || '' }}`, comes to what its author wants.
 */
export function compileGaps(parameters: object): FindGaps {
  const compiled = gapFinders(parameters, '');
  return (json) => {
    let gaps = NO_GAPS;
    for (const find of compiled) {
      const gap = find(json);
      if (gap) gaps = [...gaps, gap];
    }
    return gaps;
  };
}

function gapFinders(raw: unknown, path: string): FindGap[] {
  if (typeof raw === 'string') return raw.startsWith('=') ? findersIn(raw.slice(1), path) : [];
  if (typeof raw !== 'object' || raw === null) return [];
  return Object.entries(raw).flatMap(([key, value]) => {
    const isLocator = isObject(raw) && raw.__rl === true;
    return gapFinders(value, isLocator ? path : path === '' ? key : `${path}.${key}`);
  });
}

/** Takes an expression without its "=". Returns its finder, none where it can't have gaps. */
function findersIn(expression: string, parameter: string): FindGap[] {
  const pieces = piecesOf(expression);
  const references = pieces.flatMap((piece, i): Array<{ source: string; read: DirectRead }> => {
    const read = i % 2 === 1 ? compileReference(piece) : undefined;
    return read ? [{ source: `{{ ${piece.trim()} }}`, read }] : [];
  });
  if (references.length === 0) return [];
  return [
    (json) => {
      let sources: string[] | undefined;
      for (const { source, read } of references) if (isNothing(read(json))) (sources ??= []).push(source);
      return sources && { parameter, sources };
    },
  ];
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && isUnseen(value));

/** A name as a person tells it from others: without its blanks, its case and what nobody sees. */
const asSeen = (name: string): string =>
  withoutUnseen(name.normalize('NFKC'))
    .replace(/[\s_-]+/g, '')
    .toLowerCase();

/**
 * Says which field was probably meant where a placeholder names a field that an item doesn't have, and the item has one that
 * looks like it: in other letters, with blanks, or with a character that nobody sees, such as the byte order mark with which
 * exports begin. Undefined where nothing is like it. Takes a text with the placeholders, and the item's `json`.
 */
export function misnamedColumn(placeholders: string, json: unknown): string | undefined {
  if (!isObject(json)) return undefined;
  const names = Object.keys(json);
  for (const code of piecesOf(placeholders)) {
    const [wanted] = namesIn(code) ?? [];
    if (wanted === undefined || Object.hasOwn(json, wanted)) continue;
    const seen = asSeen(wanted);
    const meant = names.find((name) => asSeen(name) === seen);
    if (meant === undefined) continue;
    return withoutUnseen(meant) === wanted
      ? `the name of the column "${wanted}" has a character that nobody sees: drag the column from the input into the field`
      : `the column is called "${withoutUnseen(meant)}"`;
  }
  return undefined;
}
