import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ViberContentField, ViberType } from '../../gateway/contract/channels';
import { CAROUSEL_SLIDES } from '../../gateway/contract/limits';
import { viberContentOf, viberTypesOf } from '../../gateway/contract/operations';
import type { WireType } from '../../gateway/contract/operations';
import type { Field, FieldProperty, Get } from './field';
import { InvalidParameter, quoted, readAt } from './field';
import { richFields, senderField } from './make-field';
import { asText } from './values';

export const viberSignature = senderField({
  parameter: 'viberSignature',
  wire: 'viber_signature',
  displayName: 'Viber Sender',
  listMethod: 'searchViberSenders',
});

export const VIBER_TYPE_LABEL = 'Viber Message Type';
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
export function viberTypeOptions(types: readonly ViberType[]): INodePropertyOptions[] {
  const options = types.map((value) => ({ value, ...VIBER_TYPE_NAMES[value] }));
  return options.length < 5 ? options : options.sort(byName);
}

export const viberType: Field = {
  wire: 'viber_type',
  displayName: VIBER_TYPE_LABEL,
  properties(type) {
    const types = viberTypesOf(type);
    const [first] = types;
    return [
      {
        displayName: VIBER_TYPE_LABEL,
        name: 'viberType',
        type: 'options',
        options: viberTypeOptions(types),
        default: first,
        description: 'What the Viber message contains',
      },
    ];
  },
  read: (get) => ({ viber_type: readViberType(get) }),
};

const readViberType = (get: Get) => asText(get('viberType'), VIBER_TYPE_LABEL);

const SLIDES_LABEL = 'Viber Carousel';
/** The texts of a slide: label and example. */
const SLIDE_TEXTS: Record<string, [label: string, example: string]> = {
  caption: ['Caption', 'Spring shoes'],
  image: ['Image URL', 'https://example.com/shoes.png'],
  button: ['Button Caption', 'Open'],
  url: ['Button Link', 'https://example.com/shoes'],
  button2: ['Second Button Caption', 'Sizes'],
  url2: ['Second Button Link', 'https://example.com/sizes'],
};

const slideProperties = Object.entries(SLIDE_TEXTS).map(
  ([name, [label, example]]): INodeProperties => ({
    displayName: label,
    name,
    type: 'string',
    default: '',
    placeholder: `e.g. ${example}`,
    ...(!name.endsWith('2') && { required: true }),
  }),
);

const viberCarousel: Field = {
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
  read(get) {
    const collection = get('viberCarousel') as { slides?: unknown } | undefined;
    const slides = collection?.slides ?? [];
    if (!Array.isArray(slides)) {
      throw new InvalidParameter(quoted(SLIDES_LABEL), 'a list of slides', slides);
    }
    return { viber_carousel: slides.map((slide, i) => readAt(placeOfSlide(i), () => readSlide(slide))) };
  },
  describe([slide, field]) {
    if (typeof slide !== 'number' || typeof field !== 'string') return undefined;
    return `${quoted(SLIDE_TEXTS[field]?.[0] ?? field)} ${placeOfSlide(slide)}`;
  },
};

const placeOfSlide = (index: number): string => `of slide ${index + 1} in ${quoted(SLIDES_LABEL)}`;

/** Link fields; surrounding blanks from pasting are removed. */
const SLIDE_LINKS = new Set(['image', 'url', 'url2']);

function readSlide(slide: unknown): Record<string, string> {
  const values = (typeof slide === 'object' && slide !== null ? slide : {}) as Record<string, unknown>;
  const texts = Object.entries(SLIDE_TEXTS).map(([name, [label]]) => {
    const text = asText(values[name], label);
    return [name, SLIDE_LINKS.has(name) ? text?.trim() : text];
  });
  return Object.fromEntries(texts.filter(([, value]) => value !== undefined)) as Record<string, string>;
}

const { message, image, button, link } = richFields('viber', 'Viber');

const CONTENT: Record<ViberContentField, Field> = {
  viber_message: message,
  viber_image: image,
  viber_button: button,
  viber_link: link,
  viber_carousel: viberCarousel,
};

/** A content field that is shown, read and sent only for the values of `viber_type` that require it. */
function contentField(wire: ViberContentField): Field {
  const field = CONTENT[wire];
  const typesWith = (type: WireType) =>
    viberTypesOf(type).filter((value) => viberContentOf(value).includes(wire));
  return {
    ...field,
    properties: (type) =>
      typesWith(type).length === 0
        ? []
        : field.properties(type).map(
            (property): FieldProperty => ({
              ...property,
              displayOptions: { show: { viberType: typesWith(type) } },
            }),
          ),
    read: (get, type) =>
      typesWith(type).includes(readViberType(get) as ViberType) ? field.read(get, type) : {},
  };
}

/** Sender, type and content of a Viber part, in form order. */
export const viberFields: Field[] = [
  viberSignature,
  viberType,
  ...(Object.keys(CONTENT) as ViberContentField[]).map(contentField),
];
