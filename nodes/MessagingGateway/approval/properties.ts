import type { INodeProperties } from 'n8n-workflow';

import { channelOptions } from '../../gateway/contract/channels';
import type { OptionalField, WireType } from '../../gateway/contract/operations';
import { hasField } from '../../gateway/contract/operations';
import { PAGE_TEXTS } from '../../gateway/pages/question-page';
import { SPAN_UNITS } from '../fields/span';
import type { Field } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { optionalFields } from '../fields/options';
import {
  byLabel,
  choice,
  groupOf,
  inValues,
  NOT_FOR_AGENTS,
  optionsOf,
  property,
  shownFor,
} from '../fields/property';
import { asText } from '../fields/values';
import { CHANNELS_LABEL, SENDER_CHANNELS, senderProperties } from '../message-parts/by-channels';
import { shownFieldsOf } from '../run/form';
import { CHECK_ONLY } from '../sending/check-only';
import { formFieldProperties } from './form-fields';

const caption = (displayName: string, description: string, usual = '') => ({
  displayName,
  description,
  default: usual,
});

/** The words of pages and buttons, by parameter; an empty parameter stands for its default. */
const CAPTIONS = {
  askedBy: caption('Asked By', 'Second line of the page: who asks. Empty for the text "Sender".'),
  approveLabel: caption('Approve Button Label', 'Text on the button', 'Approve'),
  disapproveLabel: caption('Disapprove Button Label', 'Text on the button', 'Decline'),
  logoAddress: caption(
    'Logo Address',
    'A picture above the heading, at an address with https. Empty for none.',
  ),
  messageButtonLabel: caption(
    'Message Button Label',
    'Text on the button of the message, on Viber',
    'Respond',
  ),
  pageLanguage: caption(
    'Page Language',
    'Language of your texts, for screen readers and times, such as "en" or "uk"',
    'en',
  ),
  responseFieldLabel: caption('Response Field Label', 'Label of the field for free text', 'Response'),
  responseFormButtonLabel: caption(
    'Response Form Button Label',
    'Text on the button below the fields',
    'Submit',
  ),
  responseFormDescription: caption(
    'Response Form Description',
    'Text of the page. Empty for the text of the message.',
  ),
  responseFormTitle: caption(
    'Response Form Title',
    'Heading of the page. Empty for "Your approval is needed" or, in forms, "Your answer is needed".',
  ),
  chosenText: caption(
    'Chosen',
    'Said after the answer. {choice} is the button that was pressed.',
    PAGE_TEXTS.chosenText,
  ),
  closedText: caption('Closed', 'Heading where the link leads to no open question', PAGE_TEXTS.closedText),
  closedHintText: caption(
    'Closed, Reasons',
    'Text below the heading Closed: what may be the cause, and what to do',
    PAGE_TEXTS.closedHintText,
  ),
  expiredText: caption(
    'Expired',
    'Said after the time limit. {time} is the end of it.',
    PAGE_TEXTS.expiredText,
  ),
  limitText: caption(
    'Time Limit',
    'Said while the question is open and has a time limit. {time} is the end of it.',
    PAGE_TEXTS.limitText,
  ),
  senderText: caption(
    'Sender',
    'Second line of the page where Asked By is empty. {sender} is the sender name of the message.',
    PAGE_TEXTS.senderText,
  ),
  itemsText: caption(
    'Several Items',
    'Said where one answer counts for several items. {count} is their number.',
    PAGE_TEXTS.itemsText,
  ),
  recordedText: caption('Recorded', 'Said after the answer', PAGE_TEXTS.recordedText),
  reopenText: caption(
    'Not Accepted',
    'Said where the answer was not recorded, such as one from an outdated page',
    PAGE_TEXTS.reopenText,
  ),
  requiredText: caption(
    'Required Fields',
    'Explains the star beside a field that must be filled in',
    PAGE_TEXTS.requiredText,
  ),
  toolText: caption(
    'Call of a Tool',
    'Said in a human review, above the call of the tool',
    PAGE_TEXTS.toolText,
  ),
  wrongText: caption(
    'Wrong Answer',
    'Said beside a field whose answer is not accepted',
    PAGE_TEXTS.wrongText,
  ),
};

type CaptionName = keyof typeof CAPTIONS;

export const PAGE_TEXT_NAMES = Object.keys(PAGE_TEXTS) as Array<keyof typeof PAGE_TEXTS>;

const captionProperty = (name: CaptionName, rest: Partial<INodeProperties> = {}): INodeProperties => ({
  name,
  type: 'string',
  ...CAPTIONS[name],
  ...rest,
});

/**
 * Reads a caption from the fields of its collection.
 * @throws InvalidParameter for a value that isn't text
 */
export const readCaption = (values: Record<string, unknown>, name: CaptionName): string =>
  asText(values[name], CAPTIONS[name].displayName) ?? CAPTIONS[name].default;

const text = (description: string, rest: Partial<INodeProperties>): INodeProperties =>
  property('Text', 'text', description, { typeOptions: { rows: 4 }, ...rest });

const style = (displayName: string, name: string): INodeProperties =>
  choice(displayName, name, 'How it stands out', [
    ['primary', 'Primary'],
    ['secondary', 'Secondary'],
  ]);
const onlyDouble = shownFor({ approvalType: ['double'] });

const approvalOptions = property('Approval Options', 'approvalOptions', 'The buttons of the page', {
  type: 'fixedCollection',
  placeholder: 'Change the buttons',
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
    captionProperty('approveLabel'),
    style('Approve Button Style', 'buttonApprovalStyle'),
    captionProperty('disapproveLabel', onlyDouble),
    {
      ...style('Disapprove Button Style', 'buttonDisapprovalStyle'),
      default: 'secondary',
      ...onlyDouble,
    },
  ]),
});

const afterInterval = shownFor({ limitType: ['afterTimeInterval'] });

const limitWaitTime = property(
  'Limit Wait Time',
  'limitWaitTime',
  'How long to wait for an answer. The workflow then goes on with its input and "by": "limit".',
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
        options: SPAN_UNITS,
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

const pageTexts = groupOf('Page Texts', 'pageTexts', "Words of the page, in the recipients' language", [
  ...(['askedBy', 'logoAddress', 'pageLanguage', 'responseFieldLabel'] as const).map((name) =>
    captionProperty(name),
  ),
  ...PAGE_TEXT_NAMES.map((name) => captionProperty(name)).sort(byLabel),
]);

const onViber = shownFor({ '/channels': ['viber'] });

const replyWords = groupOf(
  'Answer by Reply',
  'replyWords',
  'Words that decide when the recipient replies with one of them, on channels whose replies the gateway passes on',
  [
    property('Approve by Reply', 'approveWords', 'Words that approve', { placeholder: 'e.g. yes, ok' }),
    property('Decline by Reply', 'declineWords', 'Words that decline', { placeholder: 'e.g. no' }),
  ],
);

/** The optional fields of messages that the form offers, each with the part of its property that says for which channels. */
const OFFERED: Partial<Record<OptionalField, Partial<INodeProperties>>> = {
  short_link: {},
  sms_lifetime: shownFor({ '/channels': ['sms'] }),
  viber_lifetime: onViber,
};
const offeredFields = optionalFields.filter(({ wire }) => wire in OFFERED);

/** Returns the optional fields of the form that the contract defines for an operation type. */
export const offeredFieldsOf = (type: WireType): Field[] =>
  offeredFields.filter(({ wire }) => hasField(type, wire));

/** A switch of human reviews alone. */
export const EDITABLE = property(
  'Editable',
  'editable',
  'Whether the reviewer may change texts that the model wrote, in calls of tools of this node whose Confirmation is By a Person',
  {
    type: 'boolean',
    default: false,
    noDataExpression: true,
    ...shownFor({ '@tool': [true], responseType: ['approval'] }),
  },
);

const options: INodeProperties[] = [
  limitWaitTime,
  CHECK_ONLY,
  replyWords,
  captionProperty('messageButtonLabel', onViber),
  captionProperty('responseFormButtonLabel', shownFor({ '/responseType': ['customForm', 'freeText'] })),
  captionProperty('responseFormDescription', { typeOptions: { rows: 4 } }),
  captionProperty('responseFormTitle'),
  pageTexts,
  ...offeredFields.flatMap((field) =>
    field.properties('sms').map((one) => ({ ...one, ...OFFERED[field.wire] })),
  ),
];

/** The form of an approval. A parameter that n8n's own approvals have, too, has the same name as there. */
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
    options: channelOptions(SENDER_CHANNELS),
    default: ['sms'],
  }),
  ...senderProperties,
  text('What to ask. The link stands where {link} is, or at the end; on Viber it can be a button.', {
    required: true,
    placeholder: 'e.g. Pay invoice 17 for 1,200 EUR?',
    hint: 'By SMS: 2 parts up to 129 Latin letters, 4 up to 91 of others, then it is cut. Shorten Links makes room for 150.',
    ...NOT_FOR_AGENTS,
  }),
  text(
    'The message to the phone. The link stands where {link} is, or at the end. The page behind the link shows the field Message, the tool, and the values that the agent gives it.',
    {
      hint: 'Empty: asks to approve "name of the tool" in "name of the workflow"',
      displayOptions: { show: { '@tool': [true] } },
    },
  ),
  choice('Response Type', 'responseType', 'How the person answers', [
    ['approval', 'Approval', 'Buttons to approve or decline'],
    ['freeText', 'Free Text', 'A text field'],
    ['customForm', 'Custom Form', 'A form with your own fields'],
  ]),
  approvalOptions,
  EDITABLE,
  ...formFieldProperties,
  property(
    `If nobody answers, the workflow waits for ever, unless you add the option ${limitWaitTime.displayName}`,
    'limitNotice',
    undefined,
    {
      type: 'notice',
      // A slash, since n8n 1.123 looks for any other name among the properties, and runs no node of the package.
      displayOptions: { hide: { [`/options.${limitWaitTime.name}`]: [{ _cnd: { exists: true } }] } },
    },
  ),
  optionsOf(options),
];

/** Returns the label of a parameter, however deep in the form. */
export const labelOf = (name: string): string =>
  shownFieldsOf(approvalProperties).find((field) => field.name === name)?.label ?? name;

/** Returns the error for a parameter of this form, by its name. */
export const badParameter = (name: string, accepted: string, received: unknown, reason?: string) =>
  new InvalidParameter(quoted(labelOf(name)), accepted, received, reason);
