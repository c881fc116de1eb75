import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { askOne } from '../../gateway/client/ask';
import { channelName } from '../../gateway/contract/channels';
import type { WireOperation, WireType } from '../../gateway/contract/operations';
import { explain } from '../../gateway/errors/catalogue';
import { listEntries, readSenders } from '../../gateway/contract/payloads';
import type { Sender } from '../../gateway/contract/payloads';
import { jsonTransport, readConnectionTo } from '../../n8n/connection';
import { USUAL_CHANNEL } from '../fields/pipeline';

/** Milliseconds for one request: a form must not keep its user waiting. */
export const FORM_TIMEOUT_MS = 15_000;

/**
 * Returns the payload of an operation that only reads.
 * @throws NodeOperationError with the explanation and advice
 */
async function payloadOf(context: ILoadOptionsFunctions, operation: WireOperation): Promise<unknown> {
  const transport = jsonTransport(await readConnectionTo(context, 'sync'), FORM_TIMEOUT_MS);
  const asked = await askOne(transport, operation);
  if (asked.ok) return asked.payload;
  const { message, description } = explain(asked.problem);
  throw new NodeOperationError(context.getNode(), message, { description });
}

/** Returns the entries whose name or description has `filter` in it, in the order of their names. */
export function matching(entries: INodeListSearchItems[], filter = ''): INodeListSearchResult {
  const wanted = filter.trim().toLowerCase();
  const results = entries
    .filter(({ name, description = '' }) => `${name} ${description}`.toLowerCase().includes(wanted))
    .sort((a, b) => a.name.localeCompare(b.name));
  return { results };
}

function searchSenders(channelOf: (context: ILoadOptionsFunctions) => string) {
  return async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    const channel = channelOf(this);
    const payload = await payloadOf(this, { type: 'sender' });
    const senders = readSenders(payload);
    if (senders.length === 0) return notice(holdsText(payload) ? UNREADABLE : NO_SENDERS);
    // Gateways write "viber", "Viber", "viber_business" or "viberNames"; some don't say for which channel a sender is approved.
    const offered = senders.filter((sender) =>
      wordsIn(sender.channel ?? channel).some((word) => word.startsWith(channel)),
    );
    const names = new Set((offered.length > 0 ? offered : senders).map(({ name }) => name));
    return matching(
      Array.from(names, (name) => ({ name: withChannels(name, senders), value: name })),
      filter,
    );
  };
}

const wordsIn = (text: string): string[] => text.toLowerCase().split(/[^a-z]+/);

const NO_SENDERS = 'No sender name is approved for this account';
const UNREADABLE = "The gateway's list of sender names can't be read: choose 'Name'";

/** An entry that explains why the list is empty. It has no value, so n8n treats the parameter as empty. */
const notice = (name: string): INodeListSearchResult => ({ results: [{ name, value: '' }] });

function holdsText(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsText);
  return typeof value === 'string' && value.trim() !== '';
}

/** Returns a sender's name with the channels for which the gateway lists it: here n8n's editor shows names and no descriptions. */
function withChannels(name: string, senders: Sender[]): string {
  const channels = senders.flatMap((sender) =>
    sender.name === name && sender.channel !== undefined ? [channelName(sender.channel)] : [],
  );
  return channels.length === 0 ? name : `${name} (${Array.from(new Set(channels)).join(', ')})`;
}

function searchTemplates(type: WireType) {
  return async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    const entries = listEntries(await payloadOf(this, { type }));
    const results = entries.flatMap(({ entry }) => {
      const { id, name, template, text } = (entry ?? {}) as Record<string, unknown>;
      if (typeof id !== 'string' && typeof id !== 'number') return [];
      const title = [name, template, text].find((value) => typeof value === 'string' && value !== '');
      return [{ name: title === undefined ? String(id) : `${String(title)} (${id})`, value: String(id) }];
    });
    return matching(results, filter);
  };
}

export const listSearch = {
  searchSmsSenders: searchSenders(() => 'sms'),
  searchViberSenders: searchSenders(() => 'viber'),
  searchRcsSenders: searchSenders(() => 'rcs'),
  // The channel of the same stage of a pipeline: "&" leads to the parameters beside the sender that is being filled in.
  searchStageSenders: searchSenders((context) =>
    String(context.getCurrentNodeParameter('&channel') ?? USUAL_CHANNEL),
  ),
  searchSmsTemplates: searchTemplates('template/list'),
  searchViberTemplates: searchTemplates('template/viber/list'),
};
