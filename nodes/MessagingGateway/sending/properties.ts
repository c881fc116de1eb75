import type { INodeProperties } from 'n8n-workflow';

/** Form properties about how operations travel, not about what is sent. */

export const DEFAULT_BATCH_SIZE = 100;
export const DEFAULT_TIMEOUT_SECONDS = 60;

/** Values of "Wait Unit", shortest first. */
export const WAIT_UNITS = [
  { name: 'Minutes', value: 'minutes' },
  { name: 'Hours', value: 'hours' },
  { name: 'Days', value: 'days' },
] as const;

export const DEFAULT_WAIT_AMOUNT = 10;
export const DEFAULT_WAIT_UNIT = 'minutes';

const whileWaiting = { show: { waitForDelivery: [true] } };

/**
 * On every send whose status comes to its `hook` (gateway-api.md, "Events"). Not as a tool of an agent, whose run
 * n8n can't put to sleep.
 */
export const waitProperties: INodeProperties[] = [
  {
    displayName: 'Wait for Delivery',
    name: 'waitForDelivery',
    type: 'boolean',
    default: false,
    displayOptions: { hide: { '@tool': [true] } },
    description:
      'Whether the workflow sleeps until the gateway says what became of every message, and goes on with one item for each that holds the send and its outcome',
  },
  {
    displayName: 'Wait Amount',
    name: 'waitAmount',
    type: 'number',
    typeOptions: { minValue: 0, numberPrecision: 2 },
    default: DEFAULT_WAIT_AMOUNT,
    displayOptions: whileWaiting,
    description:
      'How long to wait at most. Messages without an outcome by then go on with "final": false. One limit for all items: that of the first that waits.',
  },
  {
    displayName: 'Wait Unit',
    name: 'waitUnit',
    type: 'options',
    options: [...WAIT_UNITS],
    default: DEFAULT_WAIT_UNIT,
    displayOptions: whileWaiting,
    description: 'Unit of the wait amount',
  },
];

/** On every operation that sends. */
export const sendingProperties: INodeProperties[] = [
  {
    displayName: 'Delivery',
    name: 'delivery',
    type: 'options',
    options: [
      {
        name: 'Now',
        value: 'now',
        description: 'Send at once and get the message number of the gateway in the output',
      },
      {
        name: 'Queued',
        value: 'queued',
        description:
          'Put the message into the queue of the gateway. The result comes with the callback or by asking for the status.',
      },
    ],
    default: 'now',
    description: 'Whether the gateway sends the message at once or takes it into its queue',
  },
];

const checkOnly: INodeProperties = {
  displayName: 'Check Only',
  name: 'checkOnly',
  type: 'boolean',
  default: false,
  description: 'Whether to check every item and show what would be sent and billed, without sending anything',
};

export const HOOK_FROM_TRIGGER: INodeProperties = {
  displayName: 'Callback to This Workflow',
  name: 'hookFromTrigger',
  type: 'boolean',
  default: true,
  description:
    'Whether the delivery status goes to the Messaging Gateway Trigger of this workflow, without its URL being copied. The workflow has to be published.',
};

/** In the collection "Options". `takesHook` is for messages whose status comes to their `hook`. */
export const sendingOptions = (sends: boolean, takesHook: boolean): INodeProperties[] => [
  {
    displayName: 'Batch Interval (Ms)',
    name: 'batchInterval',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 0,
    description: 'Milliseconds to wait after a request before the next one is sent',
  },
  {
    displayName: 'Batch Size',
    name: 'batchSize',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: DEFAULT_BATCH_SIZE,
    description: 'How many items travel in one request. A batch that is too large for the gateway is split.',
  },
  ...(takesHook ? [HOOK_FROM_TRIGGER] : []),
  ...(sends ? [checkOnly] : []),
  {
    displayName: 'Parallel Requests',
    name: 'parallelRequests',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 10 },
    default: 1,
    description: 'How many requests may be under way at the same time',
  },
  {
    displayName: 'Timeout (Seconds)',
    name: 'timeout',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: DEFAULT_TIMEOUT_SECONDS,
    description: 'How long to wait for the answer to one request',
  },
];
