import { PIPELINE_CHANNELS } from '../../gateway/contract/channels';
import type { WireOperation, WireType } from '../../gateway/contract/operations';
import type { Field } from '../fields/field';
import { InvalidParameter } from '../fields/field';
import { choice, NOT_FOR_AGENTS, readChoice } from '../fields/property';
import type { Item } from '../run/item';
import type { Run } from '../run/run';

/** The parameters that hold what a recipient reads, sees or opens. */
const TEXT_NAME = new RegExp(
  `^(?:${PIPELINE_CHANNELS.join('|')})?(?:message|image|link|caption|(?:button|url)2?)$`,
  'i',
);

/** Whether a parameter holds a text for a recipient, by its name. */
export const isTextName = (name: string): boolean => TEXT_NAME.test(name);

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
export function watchTexts(
  { form, texts }: Run,
  spec: { wireType: WireType; fields: Field[] },
): (message: { operation: WireOperation }, item: Item) => undefined {
  /** The wire field that each parameter fills. */
  const wireFieldOf = new Map(
    spec.fields.flatMap((field) =>
      field.properties(spec.wireType).map(({ name }) => [name, field.wire] as const),
    ),
  );
  return ({ operation }, item) => {
    const mode = readChoice(EMPTY_PLACEHOLDERS, item.options.emptyPlaceholders);
    const { gaps } = item;
    if (mode === 'allow' || gaps.length === 0) return;
    const inTexts = gaps.filter(({ parameter }) => {
      const names = parameter.split('.');
      const wire = wireFieldOf.get(names[0]);
      // A field that this item doesn't read, such as the picture of another Viber type, may be empty.
      return wire !== undefined && operation[wire] !== undefined && isTextName(names[names.length - 1]);
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
