import type { IDataObject } from 'n8n-workflow';

import { typedIdentifier } from '../contract/envelope';
import type { WireType } from '../contract/operations';
import { hasField } from '../contract/operations';
import type { Classified, Outcome } from './statuses';
import { classifyStatus } from './statuses';

/** What the gateway says of one message, in a callback or as payload of `status`. */
export type Statement = Record<string, unknown>;

/**
 * Whether the status of messages of this type comes to the `hook` of the operation: of all that have the field,
 * except `pipeline` (gateway-api.md, "Events").
 */
export const reportsToHook = (type: WireType): boolean => type !== 'pipeline' && hasField(type, 'hook');

/** How much an outcome says: a statement never takes back what a better one said before it. */
const RANK: Record<Outcome, number> = {
  unknown: 0,
  pending: 1,
  failed: 2,
  delivered: 3,
  read: 4,
  replied: 5,
};

/** Classifies a statement about a message that was sent with the operation type `sentType`. */
export const classify = (statement: Statement, sentType: unknown): Classified =>
  classifyStatus(statement, typeof sentType === 'string' ? sentType : undefined);

/** Whether the second outcome replaces the first: it says as much or more. */
export const replaces = (before: Classified | undefined, after: Classified): boolean =>
  before === undefined || RANK[after.outcome] >= RANK[before.outcome];

/** An item of a message of which nothing is known yet. */
export const withoutStatement = (json: IDataObject): IDataObject => ({
  ...json,
  outcome: 'unknown',
  final: false,
});

/**
 * The json of a sent message together with what the gateway said of it: the send's own fields stay, those of the
 * statement join them, `outcome` and `final` say what it means. The statement's `type` is the channel that
 * reports, so it becomes `channel`; the `error` of a channel after which another is tried is left out.
 */
export function withStatement(json: IDataObject, statement: Statement): IDataObject {
  const classified = classify(statement, json.type);
  const fields: IDataObject = {};
  for (const [name, value] of Object.entries(statement)) {
    const empty = value === undefined || value === null;
    if (empty || OF_THE_SEND.has(name) || (name === 'error' && !classified.final)) continue;
    fields[name] = value as IDataObject[string];
  }
  const { type: channel, msg_id: messageId } = statement;
  return {
    ...json,
    ...(json.msg_id === undefined && isIdentifier(messageId) && { msg_id: typedIdentifier(messageId) }),
    ...fields,
    ...(typeof channel === 'string' && channel !== '' && { channel }),
    ...classified,
  };
}

const OF_THE_SEND = new Set(['id', 'msg_id', 'type', 'phone', 'request_id', 'outcome', 'final']);

const isIdentifier = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
