/** What spreadsheets, databases and their exports write where there is no value, or one that couldn't be calculated. */

/** Words for nothing, in lower case: SQL's and its exports', Python's, and what people type into a cell to leave it empty. */
const NOTHING = new Set([
  ...['null', '(null)', '<null>', '[null]', '\\n', 'none', 'nan', '<na>'],
  ...['n/a', 'n.a.', '-', '--', '---', '–', '—'],
]);

/** Whether a value, as a whole, is a word for nothing. */
export const meansNothing = (value: string): boolean =>
  value.length < 16 && NOTHING.has(value.trim().toLowerCase());

/** The errors of Excel, Google Sheets, LibreOffice and Numbers; their exports have them in the language of the program. */
const ERRORS = [
  ...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NULL!', '#NUM!', '#SPILL!', '#CALC!', '#ERROR!'],
  ...['#FIELD!', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!', '#BUSY!', '#EXTERNAL!', '#PYTHON!', '#TIMEOUT!'],
  // Ukrainian and Russian
  ...['#Н/Д', '#ЗНАЧ!', '#ЗНАЧЕННЯ!', '#ПОСИЛАННЯ!', '#ДІЛ/0!', "#ІМ'Я?", '#ІМ’Я?', '#ЧИСЛО!', '#ПУСТО!'],
  ...['#ССЫЛКА!', '#ДЕЛ/0!', '#ИМЯ?'],
  // German, French, Spanish, Portuguese, Italian
  ...['#BEZUG!', '#WERT!', '#ZAHL!', '#ÜBERLAUF!', '#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!', '#N/D'],
  ...[
    '#¡REF!',
    '#¡VALOR!',
    '#¡DIV/0!',
    '#¿NOMBRE?',
    '#¡NUM!',
    '#¡NULO!',
    '#VALOR!',
    '#NOME?',
    '#NÚM!',
    '#NULO!',
  ],
  ...['#RIF!', '#VALORE!', '#NULLO!'],
  // Polish, Turkish, Czech
  ...[
    '#ADR!',
    '#ARG!',
    '#DZIEL/0!',
    '#NAZWA?',
    '#LICZBA!',
    '#ZERO!',
    '#BAŞV!',
    '#DEĞER!',
    '#SAYI/0!',
    '#AD?',
  ],
  ...['#SAYI!', '#BOŞ!', '#ODKAZ!', '#HODNOTA!', '#NÁZEV?', '#ČÍSLO!'],
];

const escaped = (text: string): string => text.replace(/[/?]/g, '\\$&');
const ERROR = new RegExp(`(?<![\\p{L}\\p{N}#])(?:${ERRORS.map(escaped).join('|')})(?![\\p{L}\\p{N}])`, 'u');

/** Errors that may be part of an ordinary text: LibreOffice's numbers, a column that was too narrow, a cell at work. */
const WHOLE_ERROR = /^(?:Err:5\d\d|#{3,}|#GETTING_DATA|#NV|#YOK|Loading\.\.\.)$/;

/** Returns the error of a spreadsheet that a value is or holds; undefined without one. */
export function sheetErrorIn(value: string): string | undefined {
  if (value.includes('#')) {
    const found = ERROR.exec(value)?.[0];
    if (found !== undefined) return found;
  }
  return value.length < 30 ? WHOLE_ERROR.exec(value.trim())?.[0] : undefined;
}
