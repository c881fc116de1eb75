import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { PAGE_TEXTS } from '../../gateway/pages/question-page';
import { asText } from '../fields/values';

/** Parts of the form that recur, and how they are read. */

/** Returns a property, which is a text unless `rest` says otherwise. */
export const property = (
  displayName: string,
  name: string,
  description: string,
  rest: Partial<INodeProperties> = {},
): INodeProperties => ({ displayName, name, type: 'string', default: '', description, ...rest });

/** Returns a property that is chosen from a list, whose first entry is the usual one. */
export const choice = (
  displayName: string,
  name: string,
  description: string,
  entries: ReadonlyArray<readonly [value: string, name: string, description?: string]>,
): INodeProperties =>
  property(displayName, name, description, {
    type: 'options',
    default: entries[0][0],
    options: entries.map(([value, label, more]) => ({
      name: label,
      value,
      ...(more && { description: more }),
    })),
  });

/** Returns the options of a property whose fields n8n wraps in "values". */
export const inValues = (values: INodeProperties[]): INodePropertyCollection[] => [
  { displayName: 'Values', name: 'values', values },
];

/** Returns the fields of such a property. */
export const valuesIn = (given: unknown): Record<string, unknown> =>
  (given as { values?: Record<string, unknown> } | null | undefined)?.values ?? {};

/** Returns the part of a property that shows it for these values of others only. */
export const shownFor = (show: Record<string, string[]>) => ({ displayOptions: { show } });

const onPage = (label: string, usual: string) => [label, 'Shown on the page', usual] as const;

/** The words of pages and buttons by parameter: label, description, and what stands where nothing is entered. */
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
  closedText: onPage('Closed', PAGE_TEXTS.closedText),
  expiredText: onPage('Expired', PAGE_TEXTS.expiredText),
  itemsText: onPage('Several Items', PAGE_TEXTS.itemsText),
  recordedText: onPage('Recorded', PAGE_TEXTS.recordedText),
  reopenText: onPage('Not Accepted', PAGE_TEXTS.reopenText),
  takenText: onPage('Already Answered', PAGE_TEXTS.takenText),
  toolText: onPage('Call of a Tool', PAGE_TEXTS.toolText),
  wrongText: onPage('Wrong Answer', PAGE_TEXTS.wrongText),
} as const;

/** The names of the captions that every page may show. */
export const PAGE_TEXT_NAMES = Object.keys(PAGE_TEXTS) as Array<keyof typeof PAGE_TEXTS>;

/** Returns the property of a caption. */
export function caption(name: keyof typeof CAPTIONS, rest: Partial<INodeProperties> = {}): INodeProperties {
  const [displayName, description, usual] = CAPTIONS[name];
  return property(displayName, name, description, { default: usual, ...rest });
}

/** Reads a caption from the fields of its collection. Throws InvalidParameter for what isn't text. */
export function readCaption(values: Record<string, unknown>, name: keyof typeof CAPTIONS): string {
  const [displayName, , usual] = CAPTIONS[name];
  return asText(values[name], displayName) ?? usual;
}
