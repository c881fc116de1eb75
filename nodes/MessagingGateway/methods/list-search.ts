import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { WireType } from '../../gateway/contract/operations';
import { listEntries } from '../../gateway/payloads/lists';
import { readSenders } from '../../gateway/payloads/senders';
import { requestOne } from '../../n8n/request-one';

/** What fills the "From list" of resource locators. Each asks the gateway once and filters here. */

function matching(results: INodeListSearchResult['results'], filter?: string): INodeListSearchResult {
  const wanted = filter?.trim().toLowerCase() ?? '';
  const found = results.filter(({ name }) => name.toLowerCase().includes(wanted));
  return { results: found.sort((a, b) => a.name.localeCompare(b.name)) };
}

/** Whether a channel name of the gateway means the channel: "viber", "Viber", "viber_business". */
const isChannel = (name: string, channel: string) => name.toLowerCase().includes(channel);

function searchSenders(channel: string) {
  return async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    const senders = readSenders(await requestOne(this, { type: 'sender' }));
    const known = senders.filter((sender) => sender.channel !== undefined && isChannel(sender.channel, channel));
    // A gateway that does not say for which channel a sender is approved gets all of them listed.
    const offered = senders.filter((sender) => sender.channel === undefined || known.includes(sender));
    const names = [...new Set((offered.length > 0 ? offered : senders).map(({ name }) => name))];
    return matching(
      names.map((name) => ({ name, value: name })),
      filter,
    );
  };
}

function searchTemplates(type: WireType) {
  return async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    const entries = listEntries(await requestOne(this, { type }));
    const results = entries.flatMap(({ entry }) => {
      const { id, name, template, text } = (entry ?? {}) as Record<string, unknown>;
      if (typeof id !== 'string' && typeof id !== 'number') return [];
      const title = [name, template, text].find((value) => typeof value === 'string' && value !== '');
      return [{ name: title === undefined ? String(id) : `${String(title)} (${id})`, value: String(id) }];
    });
    return matching(results, filter);
  };
}

export const searchSmsSenders = searchSenders('sms');
export const searchViberSenders = searchSenders('viber');
export const searchRcsSenders = searchSenders('rcs');
export const searchSmsTemplates = searchTemplates('template/list');
export const searchViberTemplates = searchTemplates('template/viber/list');
