import type { ViberContentField, ViberType } from '../../gateway/contract/channels';
import { VIBER_TYPES, viberContentOf } from '../../gateway/contract/channels';
import { CAROUSEL_SLIDES, rulesIn, slideSchema } from '../../gateway/contract/wire-fields';
import { viberTypesOf } from '../../gateway/contract/operations';
import type { Field } from './field';
import { checked, quoted, readEntry } from './field';
import { linkField, messageField, richFields, senderField, textField } from './make-field';
import { entriesIn, shownFor } from './property';

export const viberSignature = senderField('Viber Sender', 'viber_signature', 'searchViberSenders');

const VIBER_TYPE_NAMES: Record<ViberType, { name: string; description: string }> = {
  text: { name: 'Text', description: 'Text only' },
  image: { name: 'Image', description: 'Picture only' },
  'text+link': { name: 'Text and Button', description: 'Text with a button that opens a link' },
  'text+image+link': {
    name: 'Text, Image and Button',
    description: 'Text with a picture and a button that opens a link',
  },
  carousel: {
    name: 'Carousel',
    description: `Text with ${CAROUSEL_SLIDES.min} to ${CAROUSEL_SLIDES.max} slides to swipe through`,
  },
};

/** The one type that a gateway surely takes before an SMS. */
const BEFORE_SMS = VIBER_TYPE_NAMES['text+image+link'];

export const VIBER_TYPE_LABEL = 'Viber Message Type';

/** A choice among Viber types, the first of which is the usual one: five are sorted, as n8n's lint requires. */
function viberTypeField(types: readonly ViberType[]) {
  const options = types.map((value) => ({ value, ...VIBER_TYPE_NAMES[value] }));
  if (types === VIBER_TYPES) options.sort((a, b) => a.name.localeCompare(b.name));
  // gateway-api.md, "Viber contents": how far its two lists for this operation agree.
  const hint = `Some gateways take only ${BEFORE_SMS.name} here. If yours does, send plain text with Channel Fallback.`;
  return textField(VIBER_TYPE_LABEL, 'viber_type', 'What the Viber message contains', {
    type: 'options',
    options,
    default: types[0],
    ...(types !== VIBER_TYPES && { hint }),
  });
}

const viberType: Field = {
  ...viberTypeField(VIBER_TYPES),
  properties: (type) => viberTypeField(viberTypesOf(type)).properties(type),
};

const SLIDES_LABEL = 'Viber Carousel';

const slideFields: Array<Field<string>> = [
  messageField('Caption', 'caption', undefined, { placeholder: 'e.g. Spring shoes' }),
  linkField('Image URL', 'image', undefined, { placeholder: 'e.g. https://example.com/shoes.png' }),
  messageField('Button Caption', 'button', undefined, { placeholder: 'e.g. Open' }),
  linkField('Button Link', 'url', undefined, { placeholder: 'e.g. https://example.com/shoes' }),
  messageField('Second Button Caption', 'button2', undefined, { placeholder: 'e.g. Sizes' }),
  linkField('Second Button Link', 'url2', undefined, { placeholder: 'e.g. https://example.com/sizes' }),
];

const SLIDE_RULES = rulesIn(slideSchema);

const slideProperties = slideFields.flatMap((field) =>
  field
    .properties('viber')
    .map((property) => ({ ...property, ...(SLIDE_RULES[field.wire].isRequired && { required: true }) })),
);

const viberCarousel: Field<'viber_carousel'> = {
  wire: 'viber_carousel',
  properties: () => [
    {
      displayName: SLIDES_LABEL,
      name: 'viberCarousel',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true, sortable: true, multipleValueButtonText: 'Add Slide' },
      default: {},
      placeholder: 'Add Slide',
      description: `Slides in the order in which they are shown: ${CAROUSEL_SLIDES.min} to ${CAROUSEL_SLIDES.max}`,
      options: [{ displayName: 'Slide', name: 'slides', values: slideProperties }],
    },
  ],
  fill(operation, get, rules) {
    const slides = entriesIn(get('viberCarousel') ?? [], 'slides', SLIDES_LABEL, 'a list of slides');
    const read = slides.map((slide, i) =>
      readEntry(slideFields, slide, SLIDE_RULES, [
        `of slide ${i + 1} in ${quoted(SLIDES_LABEL)}`,
        `viberCarousel.slides.${i}.`,
      ]),
    );
    operation.viber_carousel = checked(SLIDES_LABEL, read, rules.viber_carousel);
  },
};

/** A content field that is shown, read and sent only for the values of `viber_type` that require it. */
function contentField(field: Field<ViberContentField>): Field {
  const isIn = (viberType: ViberType) => viberContentOf(viberType).includes(field.wire);
  return {
    ...field,
    properties(type) {
      const viberTypes = viberTypesOf(type).filter(isIn);
      const properties = viberTypes.length === 0 ? [] : field.properties(type);
      return properties.map((property) => ({ ...property, ...shownFor({ viberType: viberTypes }) }));
    },
    fill(operation, get, rules) {
      if (isIn(operation.viber_type as ViberType)) field.fill(operation, get, rules);
    },
  };
}

/** Sender, type and content of a Viber part, in form order. */
export const viberFields: Field[] = [
  viberSignature,
  viberType,
  ...[...richFields('viber', 'Viber'), viberCarousel].map(contentField),
];
