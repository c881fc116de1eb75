import type { IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import { replyEntries, replyTexts } from '../gateway/contract/callback';
import type { SessionIdentity } from '../gateway/keys/session';
import { deriveSessionKey, sessionIdOf } from '../gateway/keys/session';
import { readConnection } from '../n8n/connection';
import type { EventWithFields } from './callback-fields';

/** The fields of a row that n8n's agents and memories read, by the names that they look for. */
interface AgentFields {
  /** The conversation that the reply belongs to. */
  sessionId: string;

  /** The text of the reply; empty for a picture or a file without text. */
  chatInput: string;
}

/**
 * Returns what an agent needs of an event with a reply, for events without one nothing. `key` is that of `readSessionKey`.
 */
export function agentFields(key: Buffer, event: EventWithFields): AgentFields | undefined {
  if (!hasReply(event)) return undefined;
  const identity = identityOf(event);
  return identity && { sessionId: sessionIdOf(key, identity), chatInput: chatInputOf(event) };
}

/** Whether an event has a reply, of text, a file or a pressed digit. */
export const hasReply = ({ reply, replies }: CallbackEvent): boolean =>
  replyEntries(replies).length > 0 || isText(reply);

/**
 * Returns the key of sessions, from the credential of the trigger.
 * @throws NodeOperationError where the credential can't be read or has no API key
 */
export async function readSessionKey(context: IWebhookFunctions): Promise<Buffer> {
  const problem = (message: string) =>
    new NodeOperationError(context.getNode(), message, {
      description: 'Choose a credential with an API key in the trigger, or remove the option.',
    });
  const connection = await readConnection(context).catch((thrown: unknown) => {
    throw problem(`'For AI Agents' can't use the credential: ${(thrown as Error).message}`);
  });
  const key = connection.derive(deriveSessionKey);
  if (key === undefined) throw problem("'For AI Agents' needs an API key, and the credential has none");
  return key;
}

/** The texts of all replies, each on a line of its own; where there are none, the digit. */
function chatInputOf({ reply, replies }: CallbackEvent): string {
  const said = replyTexts(replies);
  return (said.length > 0 ? said : [reply].filter(isText)).join('\n');
}

/**
 * The person who replied, where the seal of the callback's address names the number: what merely stands in the body could
 * put words into the conversation of anybody. Otherwise the message.
 */
function identityOf(event: EventWithFields): SessionIdentity | undefined {
  const { phone, sent_as: sentAs, type } = event;
  if (sentAs !== undefined && typeof phone === 'number') {
    const channel = isText(type) ? type : sentAs;
    return { phone, channel: channel.trim().toLowerCase() };
  }
  for (const identifier of ['id', 'msg_id', 'request_id'] as const) {
    const { [identifier]: value } = event;
    if (value !== undefined) return { identifier, value };
  }
  return undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
