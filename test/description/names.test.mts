/** How operations and parameters are called, by n8n's UX guidelines (docs/internals/verification.md). */
import type { INodeProperties } from 'n8n-workflow';

import { OPERATIONS } from '../../nodes/MessagingGateway/operations/index.ts';
import { RESOURCES } from '../../nodes/MessagingGateway/run/description.ts';
import { actionNode, credentialType, triggerNode } from '../support/node-types.mts';

/** What n8n calls the operations that most services have. */
const CRUD_DESCRIPTIONS: Record<string, RegExp> = {
  create: /^Create a new /,
  delete: /^Delete an? .* permanently/,
  getAll: /^Retrieve a list of /,
};
/** The resource, or what stands for it in the words of its users. */
const RESOURCE_WORDS: Record<string, RegExp> = {
  account: /account/i,
  approval: /approval|response/i,
  assistant: /connector/i,
  message: /message|SMS|call/i,
  number: /number/i,
  otp: /one-time password/i,
  smsTemplate: /SMS template/,
  viberTemplate: /Viber template/,
};
const SMALL = /^(a|an|and|as|at|but|by|for|from|in|of|on|or|per|the|then|through|to|until|via|with)$/;
const isTitleCase = (text: string) =>
  text
    .split(/[\s(/]+/)
    .every((word, i) => /^[^a-z]/.test(word) || (i > 0 && SMALL.test(word)) || /^(n8n|e\.g\.)/.test(word));
const SENTENCE = /^[A-Z][^.]*[^.]$/;

/** All properties of a form, nested ones included. */
const flat = (properties: INodeProperties[]): INodeProperties[] =>
  properties.flatMap((property) => [
    property,
    ...flat(
      (property.options ?? []).flatMap((option) =>
        'values' in option ? option.values : 'displayName' in option && 'type' in option ? [option] : [],
      ) as INodeProperties[],
    ),
  ]);

const all = [
  ...flat(actionNode().description.properties),
  ...flat(triggerNode().description.properties),
  ...flat(credentialType().properties),
];

/** Every text that explains something, with its place. */
const texts = all
  .flatMap(
    ({ name, description = '', hint = '', options = [] }): Array<[string, string]> => [
      [`${name}: description`, description],
      [`${name}: hint`, hint],
      ...options.flatMap(
        (option): Array<[string, string]> =>
          'value' in option ? [[`${name}: ${option.name}`, option.description ?? '']] : [],
      ),
    ],
  )
  .filter(([, text]) => text !== '');
const EXCEPT_DOTS = /e\.g\.|https?:\/\/\S+|\b\d+\.\d+|n8n\.\w+/g;

const labels = [
  ...all.filter(({ type }) => type !== 'notice').map(({ name, displayName }) => [name, displayName]),
  ...all.flatMap(({ name, type, options = [] }) =>
    type === 'options' || type === 'multiOptions' ? options.map((option) => [name, option.name]) : [],
  ),
];
const isSeveralSentences = (text: string) => /[.?!:;]\s+\S/.test(text.replaceAll(/[:;]\s/g, ' '));
/** A text without what isn't language, and without its ellipsis. */
const plain = (text: string) =>
  text
    .replaceAll(EXCEPT_DOTS, '')
    .replaceAll(/<code>.*?<\/code>|<[^>]+>/g, '')
    .replace(/…$/, '');
const letters = (text = '') =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replace(/^the /, '');
const properties = (wrong: (property: INodeProperties) => boolean) =>
  all.filter(wrong).map(({ name }) => name);

/** Operations that break a rule. */
const operations = (isGood: (operation: (typeof OPERATIONS)[number]) => unknown) =>
  OPERATIONS.filter((one) => !isGood(one)).map(({ resource, operation }) => `${resource} / ${operation}`);

/** What breaks each rule. */
const WRONG: Record<string, unknown[]> = {
  'operations have names in Title Case that do not repeat the resource': operations(
    ({ name, resource }) => isTitleCase(name) && !name.includes(RESOURCES[resource]),
  ),
  'actions are in sentence case, without articles, and name their object by RESOURCE_WORDS': operations(
    ({ action, resource }) =>
      SENTENCE.test(action) && !/\b(a|an|the)\b/i.test(action) && RESOURCE_WORDS[resource].test(action),
  ),
  'descriptions of operations are in sentence case, and name their object by RESOURCE_WORDS': operations(
    ({ description, resource, operation }) =>
      /^[A-Z].*[^.]$/.test(description) &&
      RESOURCE_WORDS[resource].test(description) &&
      (CRUD_DESCRIPTIONS[operation] ?? /./).test(description),
  ),
  'no two operations have the same action': operations(
    ({ action }) => OPERATIONS.filter((other) => other.action === action).length === 1,
  ),
  'labels are in Title Case': labels.filter(([, label]) => !isTitleCase(label)),
  'booleans are explained with "Whether"': properties(
    ({ type, description }) => type === 'boolean' && !description?.startsWith('Whether '),
  ),
  'placeholders begin with "e.g."': properties(
    ({ type, placeholder }) =>
      !/ollection$/.test(type) && placeholder !== undefined && !/^(e\.g\. |$)/.test(placeholder),
  ),
  'what can grow has a button that says what it adds': properties(
    ({ typeOptions, placeholder }) => !!typeOptions?.multipleValues && !/^Add /.test(placeholder ?? ''),
  ),
  'resource locators begin with the list': properties(
    ({ type, modes }) => type === 'resourceLocator' && modes?.[0].name !== 'list',
  ),
  'explanations begin with a capital letter': texts.filter(([, text]) => !/^[A-Z{]/.test(text)),
  'explanations end with a full stop only where they are several sentences': texts.filter(
    ([, text]) => isSeveralSentences(plain(text)) !== /[.?!]$/.test(plain(text)),
  ),
  'ID, URL and API are written as n8n does': [...texts, ...labels].filter(([, text]) =>
    /\b(Id|Ids|Url|Urls|Api|url|api|ids)\b/.test(plain(text)),
  ),
  'hints have 120 characters at most, which n8n shows in full': texts.filter(
    ([place, text]) => place.endsWith(': hint') && text.length > 120,
  ),
  'explanations say more than the label': properties(
    ({ displayName, description }) => letters(description) === letters(displayName),
  ),
};

it.each(Object.entries(WRONG))('a form keeps the rule: %s', (_, wrong) => expect(wrong).toEqual([]));

describe('lists', () => {
  const names = (options: INodeProperties['options'] = []) =>
    options.map((option) => ('displayName' in option ? option.displayName : option.name));
  const sorted = (list: string[]) => [...list].sort((a, b) => a.localeCompare(b));

  it('lists of five choices and more are sorted by name', () => {
    for (const { name, type, options = [] } of all) {
      // The days of a week have an order of their own, in n8n's nodes too.
      if ((type !== 'options' && type !== 'multiOptions') || name === 'days') continue;
      // n8n's list of actions has the order of these two: the order in which people look for them.
      if (name === 'resource' || name === 'operation') continue;
      if (options.length >= 5) expect([name, names(options)]).toEqual([name, sorted(names(options))]);
    }
  });

  it('the list of actions begins with what people look for: to send, to ask, codes, and numbers', () => {
    expect([...new Set(OPERATIONS.map(({ resource }) => resource))]).toEqual(Object.keys(RESOURCES));
    expect(Object.keys(RESOURCES).slice(0, 4)).toEqual(['message', 'approval', 'otp', 'number']);
    const messages = OPERATIONS.filter(({ resource }) => resource === 'message');
    expect([messages[0].operation, messages.at(-1)?.operation]).toEqual(['sendSms', 'getStatus']);
  });

  it('lists of options have the same order in all operations, from what most people need to what nobody has to', () => {
    const after = new Map<string, Set<string>>();
    for (const { properties: own } of OPERATIONS) {
      const shown = names(own.find(({ type }) => type === 'collection')?.options);
      for (const [i, name] of shown.entries()) {
        const followers = after.get(name) ?? new Set();
        for (const later of shown.slice(i + 1)) followers.add(later);
        after.set(name, followers);
      }
      if (shown.includes('Additional Properties')) expect(shown.at(-1)).toBe('Additional Properties');
    }
    const both = [...after].flatMap(([name, later]) =>
      [...later].filter((other) => after.get(other)?.has(name)).map((other) => [name, other]),
    );
    expect(both).toEqual([]);
  });
});
