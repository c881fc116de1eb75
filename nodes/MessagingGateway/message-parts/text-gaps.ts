import type { WireType } from '../../gateway/contract/operations';
import type { Field } from '../fields/field';
import { InvalidParameter } from '../fields/field';
import { choice, NOT_FOR_AGENTS, readChoice } from '../fields/property';
import { asLocated } from '../fields/values';
import type { Step } from '../run/row';
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

const EMPTY_IS_MEANT = "where it may be empty, add an empty text to it, as in {{ $json.name || '' }}";

/**
 * Returns the step that counts the gaps in the texts of a message, or refuses them, as its options say; `spec` has the fields of
 * the form. The step throws InvalidParameter.
 */
export function watchTexts({ form, texts }: Run, spec: { wireType: WireType; fields: Field[] }): Step {
  /** The wire field that each parameter fills. */
  const wireFieldOf = new Map(
    spec.fields.flatMap((field) =>
      field.properties(spec.wireType).map(({ name }) => [name, field.wire] as const),
    ),
  );
  return ({ operation }, item): undefined => {
    const mode = readChoice(EMPTY_PLACEHOLDERS, item.options.emptyPlaceholders);
    const { gaps } = item;
    if (mode === 'allow' || gaps.length === 0) return;
    const inTexts = gaps.filter(({ parameter }) => {
      const wire = wireFieldOf.get(parameter.split('.')[0]);
      // Fields that this item doesn't read, such as the picture of another Viber type, may be empty.
      if (wire === undefined || wire === 'phone' || operation[wire] === undefined) return false;
      // An empty field has no text with a gap: a required field is refused before, and an optional one isn't sent.
      return asLocated(item.read(parameter), '') !== undefined;
    });
    if (inTexts.length === 0) return;
    if (mode === 'refuse') {
      const [{ parameter, sources }] = inTexts;
      const reason = `has an empty ${sources[0]}; ${EMPTY_IS_MEANT}`;
      const received = item.read(parameter);
      throw new InvalidParameter(form.place(parameter), 'text without empty placeholders', received, reason);
    }
    const empty = new Set(inTexts.flatMap(({ sources }) => sources));
    texts.countEmpty(item.index, empty, item.json);
  };
}
