import type { WireType } from '../../gateway/contract/operations';
import type { Field } from '../fields/field';
import { InvalidParameter } from '../fields/field';
import { choice, choiceReader, NOT_FOR_AGENTS } from '../fields/property';
import { asLocated } from '../fields/values';
import type { Flaw } from '../parameters/placeholder';
import type { Form } from '../run/form';
import type { Item } from '../run/item';
import type { RowRefusal } from '../run/row';
import type { Run } from '../run/run';

export const EMPTY_PLACEHOLDERS = {
  ...choice(
    'Gaps in Texts',
    'emptyPlaceholders',
    "What to do where a text takes an empty field of its row. Add || '' to an expression that may be empty.",
    [
      ['warn', 'Warn', 'Send the message, and say so above the output'],
      ['refuse', 'Refuse', 'Send nothing for the row'],
      ['allow', 'Allow', 'Send the message, and say nothing'],
    ],
  ),
  ...NOT_FOR_AGENTS,
};

const readMode = choiceReader(EMPTY_PLACEHOLDERS);

const EMPTY_IS_MEANT = "where it may be empty, add an empty text to it, as in {{ $json.name || '' }}";

/**
 * Returns the step that refuses texts with leftovers of expressions, such as "undefined", and that counts or refuses gaps in texts, as the
 * option of a message says; `spec` has the fields of the form. The step throws InvalidParameter.
 */
export function watchTexts(
  { form, items, texts, columns }: Run,
  spec: { wireType: WireType; fields: Field[] },
): RowRefusal {
  /** The wire field that each parameter fills. */
  const wireFieldOf = new Map(
    spec.fields.flatMap((field) =>
      field.properties(spec.wireType).map(({ name }) => [name, field.wire] as const),
    ),
  );
  const isEmptyEverywhere = emptyEverywhere(form, items);
  return ({ operation }, item): undefined => {
    const mode = readMode(item.options);
    const { flaws } = item;
    if (flaws.length === 0) return;
    const isText = ({ parameter }: Flaw): boolean => {
      const wire = wireFieldOf.get(parameter.split('.')[0]);
      // A field that the operation lacks, such as the picture of another Viber type, may be empty.
      return wire !== undefined && wire !== 'phone' && operation[wire] !== undefined;
    };
    refuseLeftover(item, isText);
    if (mode === 'allow') return;
    const empty = flaws.filter(
      (flaw) =>
        flaw.is === 'empty' &&
        isText(flaw) &&
        // Where all of a field is empty, its text has no gap: a required field is refused elsewhere, an optional one isn't sent.
        asLocated(item.read(flaw.parameter), '') !== undefined,
    );
    if (empty.length === 0) return;
    if (mode === 'refuse') throw gapIn(item, empty[0], EMPTY_IS_MEANT);
    const isChosen = item.options.emptyPlaceholders !== undefined;
    const everywhere = isChosen ? undefined : empty.find(isEmptyEverywhere);
    if (everywhere) throw gapIn(item, everywhere, `it is empty in every row; ${EMPTY_IS_MEANT}`);
    texts.countEmpty(item.index, new Set(empty.map(({ source }) => source)), (source) =>
      columns.meantBy(source, item.json),
    );
  };
}

/**
 * Refuses a text in which an expression came to what nobody means for a recipient, such as "undefined".
 * @throws InvalidParameter
 */
export function refuseLeftover(item: Item, isText: (flaw: Flaw) => boolean): void {
  const found = item.flaws.find((flaw) => flaw.is === 'leftover' && isText(flaw));
  if (found === undefined) return;
  throw new InvalidParameter(
    item.run.form.place(found.parameter),
    'text in which each expression has a value',
    item.read(found.parameter),
    `contains "${found.leftover}"; correct ${found.source}, whose value it is`,
  );
}

function gapIn(item: Item, { parameter, source }: Flaw, advice: string): InvalidParameter {
  const column = item.run.columns.meantBy(source, item.json);
  const meant = column === undefined ? '' : `${column}; `;
  return new InvalidParameter(
    item.run.form.place(parameter),
    'text without empty placeholders',
    item.read(parameter),
    `has an empty ${source}; ${meant}${advice}`,
  );
}

/**
 * Returns the function that says whether a placeholder is empty in each of several rows, as one with a misspelt column is. It looks for
 * each placeholder once, up to the first row with a value.
 */
function emptyEverywhere(form: Form, rows: readonly unknown[]): (flaw: Flaw) => boolean {
  const known = new Map<string, boolean>();
  const isEmptyIn = ({ parameter, source }: Flaw, index: number): boolean => {
    try {
      form.read(parameter.split('.')[0], index);
    } catch {
      // n8n refuses the text of this row, whose own result says so.
      return false;
    }
    return form
      .flaws(index)
      .some((one) => one.is === 'empty' && one.parameter === parameter && one.source === source);
  };
  return (flaw) => {
    const name = `${flaw.parameter} ${flaw.source}`;
    const isEverywhere =
      known.get(name) ?? (rows.length > 1 && rows.every((_, index) => isEmptyIn(flaw, index)));
    known.set(name, isEverywhere);
    return isEverywhere;
  };
}
