/**
 * What a cell holds that has no value. `input` is the value of `{{ $json.name }}` in a text such as "Dear {{ $json.name }}".
 * Right is what becomes of the row: `refused` whatever the options say, since nobody means that for a recipient; `empty`, which
 * is counted in a warning, or refused where the option says so; or `sent`, as an ordinary value.
 */
import type { Case } from './case.mts';

type CellCase = Case<unknown, 'refused' | 'empty' | 'sent'>;

const each = (right: CellCase['right'], inputs: unknown[], why?: string): CellCase[] =>
  inputs.map((input) => ({ input, right, ...(why !== undefined && { why }) }));

export const CELL_VALUES: readonly CellCase[] = [
  ...each('refused', ['undefined', 'NaN'], 'what an expression leaves of a missing value'),

  ...each('empty', ['', ' ', null, undefined]),
  ...each(
    'empty',
    ['\u200b', '\ufeff', '\u00a0', ' \u200b ', '\u00ad', '\u2060', '\u3164', '\u2800'],
    'shows nothing',
  ),

  ...each('sent', ['Ms. Null', 'Nonesuch', 'Nana', 'N/A-1', 'A - B', '-5', '0', 0, false, 'NA', 'Na', 'Nil']),
  ...each('sent', ['#SALE!', '#1', '#Kyiv', 'C#', '##', 'Error 502', '#NVIDIA']),
  ...each('sent', ['e\u0301', '\u{1f468}\u200d\u{1f469}', '\u0645\u200c\u06cc']),
];
