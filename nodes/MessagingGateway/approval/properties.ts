import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { channelOptions } from '../../gateway/contract/channels';
import { optionalFields } from '../fields/options';
import { settingProperty } from '../run/settings';
import { SENDERS } from '../sending/by-channels';
import { CHECK_ONLY } from '../sending/properties';
import { formFieldProperties } from './form-fields';
import {
  APPROVAL_CHANNELS,
  APPROVAL_CHANNELS_LABEL,
  APPROVE_WORDS_LABEL,
  DECLINE_WORDS_LABEL,
  limitOption,
  RECIPIENTS_LABEL,
} from './inputs';
import { inValues, PAGE_TEXT_NAMES, text, captionProperty } from './parts';
import { TEXT_LABEL } from './question';

/** The form of the approval. Names that n8n's own nodes have for the same are theirs. */

const senders = APPROVAL_CHANNELS.flatMap((channel) =>
  SENDERS[channel].properties('sms').map(
    (property): INodeProperties => ({
      ...property,
      required: true,
      displayOptions: { show: { channels: [channel] } },
    }),
  ),
);

const LENGTH_HINT =
  'Of the 160 characters of an SMS (70 outside the GSM alphabet), the link takes about 140 and your n8n address; Check Only counts them';

const question: INodeProperties = {
  displayName: TEXT_LABEL,
  name: 'text',
  type: 'string',
  typeOptions: { rows: 4 },
  default: '',
  placeholder: 'e.g. Pay invoice 17 over 1,200 EUR?',
  description: 'What to ask. The link stands where {link} is, or at the end; on Viber it can be a button.',
  hint: LENGTH_HINT,
};

const style = (displayName: string, name: string, value: string): INodeProperties => ({
  displayName,
  name,
  type: 'options',
  default: value,
  options: [
    { name: 'Primary', value: 'primary' },
    { name: 'Secondary', value: 'secondary' },
  ],
  description: 'How it stands out',
});

const onlyOnViber = { displayOptions: { show: { '/channels': ['viber'] } } };
const onlyDouble = { displayOptions: { show: { approvalType: ['double'] } } };

const approvalOptions: INodeProperties = {
  displayName: 'Approval Options',
  name: 'approvalOptions',
  type: 'fixedCollection',
  placeholder: 'Add option',
  default: {},
  description: 'The buttons of the page',
  displayOptions: { show: { responseType: ['approval'] } },
  options: inValues([
    {
      displayName: 'Type of Approval',
      name: 'approvalType',
      type: 'options',
      default: 'single',
      options: [
        { name: 'Approve Only', value: 'single' },
        { name: 'Approve and Disapprove', value: 'double' },
      ],
      description: 'Which buttons the page has',
    },
    captionProperty('approveLabel'),
    style('Approve Button Style', 'buttonApprovalStyle', 'primary'),
    { ...captionProperty('disapproveLabel'), ...onlyDouble },
    { ...style('Disapprove Button Style', 'buttonDisapprovalStyle', 'secondary'), ...onlyDouble },
  ]),
};

const pageTexts: INodeProperties = {
  displayName: 'Page Texts',
  name: 'pageTexts',
  type: 'fixedCollection',
  default: { values: {} },
  description: "Words of the page, in the recipients' language",
  options: inValues(
    PAGE_TEXT_NAMES.map(captionProperty).sort((a, b) => a.displayName.localeCompare(b.displayName)),
  ),
};

const sendOptions = optionalFields
  .filter(({ wire }) => ['short_link', 'sms_lifetime', 'viber_lifetime'].includes(wire))
  .flatMap((field) => field.properties('sms'));

const options: INodeProperties = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options: [
    limitOption,
    pageTexts,
    {
      ...text(
        APPROVE_WORDS_LABEL,
        'approveWords',
        'Words that approve when the recipient replies with one of them, such as "yes, ok". On Viber, alone or before SMS.',
      ),
      ...onlyOnViber,
    },
    {
      ...text(
        DECLINE_WORDS_LABEL,
        'declineWords',
        'Words that decline when the recipient replies with one of them, such as "no"',
      ),
      ...onlyOnViber,
    },
    { ...captionProperty('messageButtonLabel'), ...onlyOnViber },
    captionProperty('pageLanguage'),
    {
      ...captionProperty('responseFieldLabel'),
      displayOptions: { show: { '/responseType': ['freeText'] } },
    },
    {
      ...captionProperty('responseFormButtonLabel'),
      displayOptions: { show: { '/responseType': ['customForm', 'freeText'] } },
    },
    { ...captionProperty('responseFormDescription'), typeOptions: { rows: 4 } },
    captionProperty('responseFormTitle'),
    ...sendOptions,
    settingProperty('timeout'),
    CHECK_ONLY,
  ].sort((a, b) => a.displayName.localeCompare(b.displayName)),
};

export const approvalProperties: INodeProperties[] = [
  {
    displayName: RECIPIENTS_LABEL,
    name: 'phone',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. +44 7700 900001, +44 7700 900002',
    description:
      'Who is asked. Separate several numbers with commas: each gets a message with a link of their own, and the first answer counts.',
  },
  {
    displayName: APPROVAL_CHANNELS_LABEL,
    name: 'channels',
    type: 'multiOptions',
    required: true,
    options: channelOptions(APPROVAL_CHANNELS),
    default: ['sms'],
    description: 'Channels in the order in which they are tried',
  },
  ...senders,
  { ...question, required: true, displayOptions: { hide: { '@tool': [true] } } },
  {
    ...question,
    description:
      'Text of the message to the phone, with the link where {link} is, or at the end. Empty to name workflow and tool. The page always shows the call.',
    displayOptions: { show: { '@tool': [true] } },
  },
  {
    displayName: 'Response Type',
    name: 'responseType',
    type: 'options',
    default: 'approval',
    options: [
      { name: 'Approval', value: 'approval', description: 'Buttons to approve or decline' },
      { name: 'Free Text', value: 'freeText', description: 'A text field' },
      { name: 'Custom Form', value: 'customForm', description: 'A form with your own fields' },
    ],
    description: 'How the person answers',
  },
  approvalOptions,
  ...formFieldProperties,
  options,
];

/** Characters that a text may have beside a link of ordinary length in a single SMS. */
const SHORT_TEXT = 10;

/** What the editor shows about an approval before it runs. */
export const approvalHints: NodeHint[] = [
  {
    type: 'warning',
    location: 'outputPane',
    whenToDisplay: 'beforeExecution',
    displayCondition: `={{ $parameter["resource"] === "approval" && $parameter["channels"].includes("sms") && !$parameter["options"].shortLink && $parameter["text"].length > ${SHORT_TEXT} }}`,
    message:
      'With this text the SMS is billed as two or more: the link alone takes about 150 of the 160 characters of a single SMS. Check Only shows the exact count; Shorten Links makes the link shorter.',
  },
];
