/** Shared parts of the tests of approvals: the form of the node, and the calls of a phone that opens a link. */
import type { IDataObject } from 'n8n-workflow';

import { SENDERS_FORM } from './contract-samples.mts';

export { sentTo } from './sends.mts';

export const MANAGER = 447700900001;
export const DEPUTY = 447700900002;

/** The form of the approval, on SMS unless `parameters` say otherwise. */
export const approvalForm = (parameters: IDataObject = {}): IDataObject => ({
  resource: 'approval',
  operation: 'sendAndWait',
  phone: String(MANAGER),
  channels: ['sms'],
  ...SENDERS_FORM,
  text: 'Pay invoice 17?',
  ...parameters,
});

export const BOTH_BUTTONS: IDataObject = { approvalOptions: { values: { approvalType: 'double' } } };

/** The option that limits the wait for an answer. */
export const limit = (minutes: number): IDataObject => ({
  limitWaitTime: {
    values: { limitType: 'afterTimeInterval', resumeAmount: minutes, resumeUnit: 'minutes' },
  },
});

/** The link in a message, whichever of its fields has the link. */
export function linkIn({ hook: _, ...words }: IDataObject): string {
  const [link] = /https?:\/\/[^\s"]+/.exec(JSON.stringify(words)) ?? [];
  if (link === undefined) throw new Error(`No link in ${JSON.stringify(words)}`);
  return link;
}

export interface Page {
  status: number;
  headers: Headers;
  text: string;
  /** The secret that goes along with the form; undefined where the page has none. */
  token?: string;
}

async function pageOf(response: Response): Promise<Page> {
  const text = await response.text();
  const [, token] = /name="token" value="([^"]+)"/.exec(text) ?? [];
  return { status: response.status, headers: response.headers, text, token };
}

/** Opens a link as a phone does. */
export const open = async (link: string): Promise<Page> => await pageOf(await fetch(link));

/** Sends the form of a page, in the encoding that pages with fields ask for or the usual one. */
export async function submit(
  link: string,
  fields: Record<string, string>,
  encoding?: 'multipart',
): Promise<Page> {
  const body = encoding === undefined ? new URLSearchParams(fields) : new FormData();
  if (body instanceof FormData) for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return await pageOf(await fetch(link, { method: 'POST', body }));
}

/** Opens a link and presses a button of its page, after filling in its fields. */
export async function answer(
  link: string,
  choice: string,
  fields: Record<string, string> = {},
): Promise<Page> {
  const { token = '', text } = await open(link);
  const encoding = text.includes('enctype="multipart/form-data"') ? 'multipart' : undefined;
  return await submit(link, { ...fields, token, choice }, encoding);
}
