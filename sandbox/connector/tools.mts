/**
 * The eleven tools of the assistant connector. The contract names only `balance`; the other names and all
 * parameters are the sandbox's own, since gateway-api.md does not show them.
 */
import { CHANNEL_NAMES, CHANNELS } from '../operations/channels.mts';
import type { JsonObject } from '../types.mts';

interface Property {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  description: string;
  enum?: readonly string[];
  items?: { type: 'string'; enum?: readonly string[] };
  minLength?: number;
}

/** JSON Schema of a tool's arguments, as `tools/list` shows it. */
interface InputSchema {
  type: 'object';
  properties: Record<string, Property>;
  required: string[];
  additionalProperties: false;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** Sending tools cost money: they demand `confirm: true` and an open sending switch. */
  sends: boolean;
  inputSchema: InputSchema;
  /** The operation that the tool asks the API for. */
  operation: (args: JsonObject, id: number) => JsonObject;
}

const phone: Property = { type: 'integer', description: 'Phone number in international format, digits only' };
const id: Property = {
  type: 'integer',
  description: 'Your own identifier of the message; made for you if left out',
};
const confirm: Property = { type: 'boolean', description: 'Has to be true: the message is sent and billed' };

function text(description: string): Property {
  return { type: 'string', description, minLength: 1 };
}

function schema(properties: Record<string, Property>, required: string[]): InputSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function reading(
  name: string,
  title: string,
  description: string,
  inputSchema: InputSchema,
  operation: Tool['operation'],
): Tool {
  return { name, title, description, sends: false, inputSchema, operation };
}

function sending(
  name: string,
  title: string,
  description: string,
  properties: Record<string, Property>,
  required: string[],
  operation: Tool['operation'],
): Tool {
  const inputSchema = schema({ phone, ...properties, id, confirm }, ['phone', ...required]);
  return { name, title, description, sends: true, inputSchema, operation };
}

function pipelineOperation(args: JsonObject, messageId: number): JsonObject {
  const channels = args.channels as string[];
  const stages = channels.map((channel) => [channel, CHANNELS[channel].fromText(args.text, args.sender)]);
  return {
    type: 'pipeline',
    id: messageId,
    phone: args.phone,
    pipeline: channels,
    ...Object.fromEntries(stages),
  };
}

/** All tools, reading ones first. */
export const TOOLS: readonly Tool[] = [
  reading('balance', 'Balance', 'Money left on the account', schema({}, []), () => ({ type: 'balance' })),
  reading('list_senders', 'Senders', 'Sender names that the account may use', schema({}, []), () => ({
    type: 'sender',
  })),
  reading(
    'message_status',
    'Message status',
    'Delivery status of a message sent before',
    schema({ id: { type: 'integer', description: 'Identifier of the message' } }, ['id']),
    (args) => ({ type: 'status', id: args.id }),
  ),
  reading(
    'lookup_number',
    'Number lookup',
    'Operator, country and porting of a phone number',
    schema({ phone }, ['phone']),
    (args, messageId) => ({ type: 'hlr', id: messageId, phone: args.phone }),
  ),
  reading('list_sms_templates', 'SMS templates', 'SMS templates of the account', schema({}, []), () => ({
    type: 'template/list',
  })),
  reading(
    'list_viber_templates',
    'Viber templates',
    'Viber templates of the account with their moderation status',
    schema({}, []),
    () => ({ type: 'template/viber/list' }),
  ),
  sending(
    'send_sms',
    'Send SMS',
    'Sends an SMS message',
    { text: text('Text of the message'), sender: text('Approved sender name') },
    ['text', 'sender'],
    (args, messageId) => ({
      type: 'sms',
      id: messageId,
      phone: args.phone,
      sms_message: args.text,
      sms_signature: args.sender,
    }),
  ),
  sending(
    'send_viber',
    'Send Viber message',
    'Sends a Viber text message',
    { text: text('Text of the message'), sender: text('Approved sender name') },
    ['text', 'sender'],
    (args, messageId) => ({
      type: 'viber',
      id: messageId,
      phone: args.phone,
      viber_signature: args.sender,
      viber_type: 'text',
      viber_message: args.text,
    }),
  ),
  sending(
    'send_telegram_code',
    'Send Telegram code',
    'Sends a one-time password of 4 to 8 digits over Telegram',
    { code: text('The password, 4 to 8 digits') },
    ['code'],
    (args, messageId) => ({ type: 'telegram', id: messageId, phone: args.phone, message: args.code }),
  ),
  sending(
    'send_voice',
    'Make voice call',
    'Calls a number and speaks a text',
    {
      text: text('Text to be spoken'),
      gender: { type: 'string', description: 'Voice', enum: ['male', 'female'] },
      language: text('Language tag, for example en-US'),
      voice: text('Name of the voice model'),
      dtmf: { type: 'boolean', description: 'Whether pressed digits are collected' },
    },
    ['text', 'gender', 'language', 'voice'],
    (args, messageId) => ({
      type: 'voice',
      id: messageId,
      phone: args.phone,
      message: args.text,
      dtmf: args.dtmf ?? false,
      voice: { gender: args.gender, language: args.language, name: args.voice },
    }),
  ),
  sending(
    'send_pipeline',
    'Send over several channels',
    'Tries several channels in the order given until one delivers',
    {
      channels: {
        type: 'array',
        description: 'Channels in the order in which they are tried',
        items: { type: 'string', enum: CHANNEL_NAMES },
      },
      text: text('Text of the message'),
      sender: text('Approved sender name'),
    },
    ['channels', 'text', 'sender'],
    pipelineOperation,
  ),
];

/** The first thing wrong with the arguments of a tool, or undefined. */
export function argumentProblem({ properties, required }: InputSchema, args: JsonObject): string | undefined {
  for (const name of required) if (!Object.hasOwn(args, name)) return `${name} is required`;
  for (const [name, value] of Object.entries(args)) {
    if (!Object.hasOwn(properties, name)) return `${name} is not a parameter of this tool`;
    const property = properties[name];
    if (!fits(property, value)) return `${name} has to be of type ${property.type}`;
    if (property.enum && !property.enum.includes(value as string)) {
      return `${name} has to be one of ${property.enum.join(', ')}`;
    }
    if (property.minLength !== undefined && (value as string).length < property.minLength) {
      return `${name} is empty`;
    }
  }
  return undefined;
}

function fits(property: Property, value: unknown): boolean {
  switch (property.type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return (
        Array.isArray(value) &&
        value.every(
          (one) => typeof one === 'string' && (!property.items?.enum || property.items.enum.includes(one)),
        )
      );
    default:
      return typeof value === property.type;
  }
}
