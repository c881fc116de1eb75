import type { INodeProperties } from 'n8n-workflow';

/** Options for lists, which an agent's tool doesn't offer: an agent writes one message to one person. */
const FOR_LISTS = [
  'checkOnly',
  'delivery',
  'emptyPlaceholders',
  'messageId',
  'senders',
  'shortenSms',
  'speed',
  'unsubscribeLink',
];

/** Returns the properties of a form; an agent's tool doesn't offer its options for lists. */
export const withToolOptions = (properties: INodeProperties[]): INodeProperties[] =>
  properties.map((one) =>
    one.name === 'options'
      ? { ...one, options: (one.options as INodeProperties[]).map(hiddenFromTools) }
      : one,
  );

const hiddenFromTools = (option: INodeProperties): INodeProperties =>
  FOR_LISTS.includes(option.name)
    ? {
        ...option,
        displayOptions: {
          ...option.displayOptions,
          hide: { ...option.displayOptions?.hide, '@tool': [true] },
        },
      }
    : option;
