import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { PAGE_TEXTS } from '../../gateway/pages/question-page';
import { asText } from '../fields/values';

/** Parts of the form that recur, and how they are read. */

/** The captions of pages and buttons by parameter: label, description, and what stands where nothing is entered. */
const CAPTIONS = {
  approveLabel: ['Approve Button Label', 'Text on the button', 'Approve'],
  disapproveLabel: ['Disapprove Button Label', 'Text on the button', 'Decline'],
  messageButtonLabel: ['Message Button Label', 'Text on the button of the message, on Viber', 'Respond'],
  pageLanguage: ['Page Language', 'Language of your texts, for screen readers, such as "en" or "uk"', 'en'],
  responseFieldLabel: ['Response Field Label', 'Label of the field for free text', 'Response'],
  responseFormButtonLabel: ['Response Form Button Label', 'Text on the button below the fields', 'Submit'],
  responseFormDescription: [
    'Response Form Description',
    'Text of the page. Empty for the text of the message.',
    '',
  ],
  responseFormTitle: ['Response Form Title', 'Heading of the page', ''],
  closedText: ['Closed', 'Shown on the page', PAGE_TEXTS.closedText],
  expiredText: ['Expired', 'Shown on the page', PAGE_TEXTS.expiredText],
  itemsText: ['Several Items', 'Shown on the page', PAGE_TEXTS.itemsText],
  recordedText: ['Recorded', 'Shown on the page', PAGE_TEXTS.recordedText],
  reopenText: ['Not Accepted', 'Shown on the page', PAGE_TEXTS.reopenText],
  takenText: ['Already Answered', 'Shown on the page', PAGE_TEXTS.takenText],
  toolText: ['Call of a Tool', 'Shown on the page', PAGE_TEXTS.toolText],
  wrongText: ['Wrong Answer', 'Shown on the page', PAGE_TEXTS.wrongText],
} as const;

type CaptionName = keyof typeof CAPTIONS;

/** The names of the captions that every page may show. */
export const PAGE_TEXT_NAMES = Object.keys(PAGE_TEXTS) as Array<keyof typeof PAGE_TEXTS>;

/** Returns the property of a caption. */
export function captionProperty(name: CaptionName): INodeProperties {
  const [displayName, description, usual] = CAPTIONS[name];
  return text(displayName, name, description, usual);
}

/** Reads a caption from the fields of its collection. Throws InvalidParameter for what isn't text. */
export function readCaption(values: Record<string, unknown>, name: CaptionName): string {
  const [displayName, , usual] = CAPTIONS[name];
  return asText(values[name], displayName) ?? usual;
}

/** Returns the property of a text. */
export const text = (
  displayName: string,
  name: string,
  description: string,
  value = '',
): INodeProperties => ({ displayName, name, type: 'string', default: value, description });

/** Returns the options of a property whose fields n8n wraps in "values". */
export const inValues = (values: INodeProperties[]): INodePropertyCollection[] => [
  { displayName: 'Values', name: 'values', values },
];

/** Returns the fields of such a property. */
export const valuesIn = (given: unknown): Record<string, unknown> =>
  (given as { values?: Record<string, unknown> } | null | undefined)?.values ?? {};
