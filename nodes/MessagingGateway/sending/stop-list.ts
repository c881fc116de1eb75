import type { Country } from '../../gateway/numbers/countries';
import { looksRounded, parsePhone } from '../../gateway/numbers/phone';
import { MAX_STOPPED } from '../../gateway/text/gate';
import { isEmpty, isObject } from '../../gateway/text/json';
import { PHONE_LABEL, readCountry } from '../fields/target';
import { InvalidParameter, quoted } from '../fields/field';
import { property } from '../fields/property';
import { readForAll } from '../run/output';
import type { Run } from '../run/run';

export const STOP_LIST = property(
  'Stop List',
  'stopList',
  'Numbers that get nothing: the rows of another node with a column phone, or a list of numbers, read once for a run. Rows with these numbers are skipped and count as done. If this is no list, nothing is sent.',
  { placeholder: "e.g. {{ $('Who Said Stop').all() }}" },
);

const LABEL = quoted(STOP_LIST.displayName);
const ACCEPTED = "a list of phone numbers, or of rows with a column 'phone'";
const NOT_SET = Symbol('not set');

/**
 * Reads the Stop List of a run, once, with the Default Country of its first row. Returns the numbers; undefined where the
 * option isn't added.
 * @throws NodeOperationError for a value that isn't a list of phone numbers: a list that could not be read must not send to all
 */
export function readStopList(run: Run): ReadonlySet<number> | undefined {
  return readForAll(run, () => {
    const given = run.form.read(`options.${STOP_LIST.name}`, 0, NOT_SET);
    if (given === NOT_SET) return undefined;
    return stoppedNumbers(given, readCountry({ country: run.form.option('country') }));
  });
}

/**
 * Returns the numbers of a list, as people write them.
 * @throws InvalidParameter for a value that isn't one
 */
export function stoppedNumbers(given: unknown, home?: Country): ReadonlySet<number> {
  const isText = typeof given === 'string';
  const entries = isText ? entriesIn(given) : given;
  if (!isText && !Array.isArray(entries)) throw noList(given);
  const numbers = new Set<number>();
  let index = -1;
  let rows = 0;
  for (const entry of entries as Iterable<unknown>) {
    index += 1;
    const cell = cellOf(entry, index);
    // A node without rows puts out an empty one, if it always puts out something.
    if (cell === NO_ROW) continue;
    rows += 1;
    if (isEmpty(cell) || (typeof cell === 'string' && cell.trim() === '')) continue;
    const result = parsePhone(cell, home);
    if (!result.ok)
      throw new InvalidParameter(`Row ${index + 1} of the list in ${LABEL}`, 'a phone number', cell, {
        reason: result.reason,
        advice: `Remove row ${index + 1} where the list is kept, or correct its number there,`,
      });
    if (isDigits(cell) && looksRounded(result.phone))
      throw new InvalidParameter(`Row ${index + 1} of the list in ${LABEL}`, 'a whole phone number', cell, {
        reason: 'ends in so many zeros that a spreadsheet may have rounded it',
        advice: `Correct the number of row ${index + 1} where the list is kept, or write it with a plus sign if it is right,`,
      });
    numbers.add(result.phone);
  }
  if (isText && rows === 0) throw noList(given);
  if (rows > 0 && numbers.size === 0)
    throw new InvalidParameter(LABEL, ACCEPTED, given, 'holds no number, so it may not have been read');
  return numbers;
}

const noList = (given: unknown): InvalidParameter =>
  new InvalidParameter(LABEL, ACCEPTED, given, 'is no list, so it may not have been read');

const tooLong = (): InvalidParameter =>
  new InvalidParameter(LABEL, `a text with at most ${MAX_STOPPED.toLocaleString('en')} numbers`, undefined, {
    reason: `is a text with more than ${MAX_STOPPED.toLocaleString('en')} numbers`,
    advice: 'Give the rows of a node with these numbers,',
  });

/**
 * Returns the entries of a list that is text, one after the other: a stranger's text may have millions, the first of them no number.
 * @throws InvalidParameter behind the last entry that a text may have
 */
function* entriesIn(text: string): Iterable<string> {
  let count = 0;
  for (const [entry] of text.matchAll(/[^,;\s][^,;\n]*/g)) {
    if (count === MAX_STOPPED) throw tooLong();
    count += 1;
    yield entry.trim();
  }
}

/** Whether a cell holds digits alone, as spreadsheets write numbers: a person wrote any other sign. */
const isDigits = (cell: unknown): boolean => /^\s*\d+\s*$/.test(String(cell));

const NO_ROW = Symbol('no row');

/** Returns what an entry holds as its number: itself, or the column of a row, which n8n may have wrapped in `json`. */
function cellOf(entry: unknown, index: number): unknown {
  if (!isObject(entry)) return entry;
  const row = isObject(entry.json) ? entry.json : entry;
  if ('phone' in row) return row.phone;
  if (Object.keys(row).length === 0) return NO_ROW;
  const columns = Object.keys(row).slice(0, 5).join(', ');
  throw new InvalidParameter(
    `Row ${index + 1} of the list in ${LABEL}`,
    `a phone number, or a row with a column 'phone' (as in ${quoted(PHONE_LABEL)})`,
    entry,
    `has the columns ${columns}; name the right one, as in {{ $('Who Said Stop').all().map((row) => row.json.number) }}`,
  );
}
