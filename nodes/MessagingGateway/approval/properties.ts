import type { INodeProperties } from 'n8n-workflow';

import type { Channel } from '../../gateway/contract/channels';
import { channelOptions } from '../../gateway/contract/channels';
import { PAGE_TEXTS } from '../../gateway/pages/question-page';
import { LIMIT_UNITS } from '../delivery-wait/settings';
import { optionalFields } from '../fields/options';
import { byLabel, choice, inValues, optionsOf, property, shownFor } from '../fields/property';
import { asText } from '../fields/values';
import { CHANNELS_LABEL, senderProperties } from '../message-parts/by-channels';
import { SENDER_BY_COUNTRY } from '../message-parts/sender-by-country';
import { labelsOf } from '../run/form';
import { timeoutProperty } from '../run/settings';
import { CHECK_ONLY } from '../sending/check-only';
import { formFieldProperties } from './form-fields';

/** The channels on which a person can be asked: those that carry a text with a link. */
export const APPROVAL_CHANNELS = ['viber', 'sms', 'rcs', 'whatsapp'] as const satisfies readonly Channel[];

const onPage = (label: string, usual: string) => [label, 'Shown on the page', usual] as const;

/** The words of pages and buttons by parameter: label, description, and what stands where nothing is entered. */
const CAPTIONS = {
  askedBy: ['Asked By', 'Second line of the page: who asks. Empty for the name of the workflow.', ''],
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
  responseFormTitle: [
    'Response Form Title',
    'Heading of the page. Empty for "Your approval is needed" or, in forms, "Your answer is needed".',
    '',
  ],
  chosenText: onPage('Chosen', PAGE_TEXTS.chosenText),
  closedText: onPage('Closed', PAGE_TEXTS.closedText),
  closedHintText: onPage('Closed, Reasons', PAGE_TEXTS.closedHintText),
  expiredText: onPage('Expired', PAGE_TEXTS.expiredText),
  itemsText: onPage('Several Items', PAGE_TEXTS.itemsText),
  recordedText: onPage('Recorded', PAGE_TEXTS.recordedText),
  reopenText: onPage('Not Accepted', PAGE_TEXTS.reopenText),
  requiredText: onPage('Required Fields', PAGE_TEXTS.requiredText),
  takenText: onPage('Already Answered', PAGE_TEXTS.takenText),
  toolText: onPage('Call of a Tool', PAGE_TEXTS.toolText),
  wrongText: onPage('Wrong Answer', PAGE_TEXTS.wrongText),
} as const;

export const PAGE_TEXT_NAMES = Object.keys(PAGE_TEXTS) as Array<keyof typeof PAGE_TEXTS>;

function caption(name: keyof typeof CAPTIONS, rest: Partial<INodeProperties> = {}): INodeProperties {
  const [displayName, description, usual] = CAPTIONS[name];
  return property(displayName, name, description, { default: usual, ...rest });
}

/**
 * Reads a caption from the fields of its collection.
 * @throws InvalidParameter for what isn't text
 */
export function readCaption(values: Record<string, unknown>, name: keyof typeof CAPTIONS): string {
  const [displayName, , usual] = CAPTIONS[name];
  return asText(values[name], displayName) ?? usual;
}

const question = (description: string, rest: Partial<INodeProperties>): INodeProperties =>
  property('Text', 'text', description, {
    typeOptions: { rows: 4 },
    placeholder: 'e.g. Pay invoice 17 over 1,200 EUR?',
    hint: 'The link adds about 180 characters, so an SMS usually costs 2 parts. See Check Only and Shorten Links.',
    ...rest,
  });

const style = (displayName: string, name: string): INodeProperties =>
  choice(displayName, name, 'How it stands out', [
    ['primary', 'Primary'],
    ['secondary', 'Secondary'],
  ]);
const onlyDouble = shownFor({ approvalType: ['double'] });

const approvalOptions = property('Approval Options', 'approvalOptions', 'The buttons of the page', {
  type: 'fixedCollection',
  placeholder: 'Add option',
  default: {},
  ...shownFor({ responseType: ['approval'] }),
  options: inValues([
    {
      ...choice('Type of Approval', 'approvalType', 'Which buttons the page has', [
        ['single', 'Approve Only'],
        ['double', 'Approve and Decline'],
      ]),
      default: 'double',
    },
    caption('approveLabel'),
    style('Approve Button Style', 'buttonApprovalStyle'),
    caption('disapproveLabel', onlyDouble),
    {
      ...style('Disapprove Button Style', 'buttonDisapprovalStyle'),
      default: 'secondary',
      ...onlyDouble,
    },
  ]),
});

const afterInterval = shownFor({ limitType: ['afterTimeInterval'] });

const limitOption = property(
  'Limit Wait Time',
  'limitWaitTime',
  'How long to wait for an answer. The workflow then goes on with its input and "by": "limit". Without a limit, it waits until someone answers.',
  {
    type: 'fixedCollection',
    default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
    options: inValues([
      choice('Limit Type', 'limitType', 'Whether the limit is a time span or a date', [
        ['afterTimeInterval', 'After Time Interval', 'Waits for a time span'],
        ['atSpecifiedTime', 'At Specified Time', 'Waits until a date and time'],
      ]),
      property('Amount', 'resumeAmount', 'How many units to wait', {
        type: 'number',
        typeOptions: { minValue: 0, numberPrecision: 2 },
        default: 1,
        ...afterInterval,
      }),
      property('Unit', 'resumeUnit', 'Unit of the amount', {
        type: 'options',
        options: LIMIT_UNITS.map(({ name, value }) => ({ name, value })),
        default: 'hours',
        ...afterInterval,
      }),
      property('Max Date and Time', 'maxDateAndTime', 'When to stop waiting', {
        type: 'dateTime',
        ...shownFor({ limitType: ['atSpecifiedTime'] }),
      }),
    ]),
  },
);

const onViber = shownFor({ '/channels': ['viber'] });

const options: INodeProperties[] = [
  limitOption,
  property('Page Texts', 'pageTexts', "Words of the page, in the recipients' language", {
    type: 'fixedCollection',
    default: { values: {} },
    options: inValues(PAGE_TEXT_NAMES.map((name) => caption(name)).sort(byLabel)),
  }),
  property(
    'Approve by Reply',
    'approveWords',
    'Words that approve when the recipient replies with one of them, such as "yes, ok". On Viber, alone or before SMS.',
    onViber,
  ),
  caption('askedBy'),
  property(
    'Decline by Reply',
    'declineWords',
    'Words that decline when the recipient replies with one of them, such as "no"',
    onViber,
  ),
  caption('messageButtonLabel', onViber),
  caption('pageLanguage'),
  caption('responseFieldLabel', shownFor({ '/responseType': ['freeText'] })),
  caption('responseFormButtonLabel', shownFor({ '/responseType': ['customForm', 'freeText'] })),
  caption('responseFormDescription', { typeOptions: { rows: 4 } }),
  caption('responseFormTitle'),
  ...optionalFields
    .filter(({ wire }) => ['short_link', 'sms_lifetime', 'viber_lifetime'].includes(wire))
    .flatMap((field) => field.properties('sms')),
  timeoutProperty,
  SENDER_BY_COUNTRY,
  CHECK_ONLY,
];

/** Names that n8n's own nodes have for the same are theirs. */
export const approvalProperties: INodeProperties[] = [
  property(
    'Phone Number',
    'phone',
    'Who is asked. Of several, separated by commas, the first to answer counts. In a human review, enter it yourself: an agent must not choose its reviewer.',
    { required: true, placeholder: 'e.g. +44 7700 900001, +44 7700 900002' },
  ),
  property(CHANNELS_LABEL, 'channels', 'Channels in the order in which they are tried', {
    type: 'multiOptions',
    required: true,
    options: channelOptions(APPROVAL_CHANNELS),
    default: ['sms'],
  }),
  ...senderProperties(APPROVAL_CHANNELS),
  question('What to ask. The link stands where {link} is, or at the end; on Viber it can be a button.', {
    required: true,
    displayOptions: { hide: { '@tool': [true] } },
  }),
  question('The link stands where {link} is, or at the end', {
    placeholder: undefined,
    displayOptions: { show: { '@tool': [true] } },
    hint: 'What the phone gets; empty: names of workflow and tool. The page has Message and the call.',
  }),
  choice('Response Type', 'responseType', 'How the person answers', [
    ['approval', 'Approval', 'Buttons to approve or decline'],
    ['freeText', 'Free Text', 'A text field'],
    ['customForm', 'Custom Form', 'A form with your own fields'],
  ]),
  approvalOptions,
  ...formFieldProperties,
  optionsOf(options),
];

/** Returns the label of a parameter, however deep in the form. */
export const labelOf = (name: string): string => labelsOf(approvalProperties, name)[0] ?? name;
