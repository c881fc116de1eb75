import type { INodePropertyOptions } from 'n8n-workflow';

import type { ViberContentField, ViberType } from '../../gateway/contract/channels';
import { VIBER_TYPES } from '../../gateway/contract/channels';
import { CAROUSEL_SLIDES } from '../../gateway/contract/limits';
import { viberContentOf, viberTypesOf } from '../../gateway/contract/operations';
import type { WireType } from '../../gateway/contract/operations';
import type { Field } from './field';
import { InvalidParameter, quoted, readEntry } from './field';
import { choiceField, linkField, richFields, senderField, textField } from './make-field';
import { shownFor } from './property';

export const viberSignature = senderField({
  parameter: 'viberSignature',
  wire: 'viber_signature',
  displayName: 'Viber Sender',
  listMethod: 'searchViberSenders',
});

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

const byName = (a: INodePropertyOptions, b: INodePropertyOptions) => a.name.localeCompare(b.name);

/** The choices of `viber_type`: in the given order, or by name where there are five or more, as n8n's lint requires. */
function viberTypeOptions(types: readonly ViberType[]): INodePropertyOptions[] {
  const options = types.map((value) => ({ value, ...VIBER_TYPE_NAMES[value] }));
  return options.length < 5 ? options : options.sort(byName);
}

export const VIBER_TYPE_LABEL = 'Viber Message Type';

/** A choice among Viber types, the first of which is the usual one. */
const viberTypeField = (types: readonly ViberType[]) =>
  choiceField({
    parameter: 'viberType',
    wire: 'viber_type',
    displayName: VIBER_TYPE_LABEL,
    options: viberTypeOptions(types),
    default: types[0],
    description:
      types === VIBER_TYPES
        ? 'What the Viber message contains'
        : // gateway-api.md, "Viber contents"
          `What the Viber message contains. Before an SMS, only ${VIBER_TYPE_NAMES[types[0]].name} is certain to be accepted.`,
  });

const viberType: Field = {
  ...viberTypeField(VIBER_TYPES),
  properties: (type) => viberTypeField(viberTypesOf(type)).properties(type),
};

const SLIDES_LABEL = 'Viber Carousel';

const slideField = (make: typeof textField, wire: string, displayName: string, example: string) =>
  make({ parameter: wire, wire, displayName, placeholder: `e.g. ${example}` });

const slideFields = [
  slideField(textField, 'caption', 'Caption', 'Spring shoes'),
  slideField(linkField, 'image', 'Image URL', 'https://example.com/shoes.png'),
  slideField(textField, 'button', 'Button Caption', 'Open'),
  slideField(linkField, 'url', 'Button Link', 'https://example.com/shoes'),
  slideField(textField, 'button2', 'Second Button Caption', 'Sizes'),
  slideField(linkField, 'url2', 'Second Button Link', 'https://example.com/sizes'),
];

const slideProperties = slideFields.flatMap((field) =>
  field
    .properties('viber')
    .map((property) => ({ ...property, ...(!field.wire.endsWith('2') && { required: true }) })),
);

const viberCarousel: Field<'viber_carousel'> = {
  wire: 'viber_carousel',
  displayName: SLIDES_LABEL,
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
  read(get, type) {
    const collection = get('viberCarousel') as { slides?: unknown } | undefined;
    const slides = collection?.slides ?? [];
    if (!Array.isArray(slides)) {
      throw new InvalidParameter(quoted(SLIDES_LABEL), 'a list of slides', slides);
    }
    return {
      viber_carousel: slides.map((slide, i) =>
        readEntry(slideFields, slide, { type, place: placeOfSlide(i) }),
      ),
    };
  },
  describe([slide, key]) {
    if (typeof slide !== 'number' || typeof key !== 'string') return undefined;
    const field = slideFields.find(({ wire }) => wire === key);
    return `${quoted(field?.displayName ?? key)} ${placeOfSlide(slide)}`;
  },
};

const placeOfSlide = (index: number): string => `of slide ${index + 1} in ${quoted(SLIDES_LABEL)}`;

const { message, image, button, link } = richFields('viber', 'Viber');

/** A content field that is shown, read and sent only for the values of `viber_type` that require it. */
function contentField(field: Field<ViberContentField>): Field {
  const typesWith = (type: WireType) =>
    viberTypesOf(type).filter((value) => viberContentOf(value).includes(field.wire));
  return {
    ...field,
    properties(type) {
      const viberTypes = typesWith(type);
      const properties = viberTypes.length === 0 ? [] : field.properties(type);
      return properties.map((property) => ({ ...property, ...shownFor({ viberType: viberTypes }) }));
    },
    read: (get, type) =>
      typesWith(type).includes(viberType.read(get, type).viber_type as ViberType)
        ? field.read(get, type)
        : {},
  };
}

/** Sender, type and content of a Viber part, in form order. */
export const viberFields: Field[] = [
  viberSignature,
  viberType,
  ...[message, image, button, link, viberCarousel].map(contentField),
];
