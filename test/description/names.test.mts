/** How operations and parameters are called, by n8n's UX guidelines (docs/verification.md). */
import type { INodeProperties } from 'n8n-workflow';

import { OPERATIONS } from '../../nodes/MessagingGateway/operations/index.ts';
import { RESOURCES } from '../../nodes/MessagingGateway/run/definition.ts';
import { actionNode, credentialType, triggerNode } from '../support/built-package.mts';

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

describe.each(OPERATIONS.map((one) => [`${one.resource} / ${one.operation}`, one] as const))(
  '%s',
  (_, { resource, operation, name, action, description }) => {
    it('has a name in Title Case that does not repeat the resource', () => {
      expect([name, isTitleCase(name)]).toEqual([name, true]);
      expect(name).not.toContain(RESOURCES[resource]);
    });

    it('has an action in sentence case, without articles, that names its object', () => {
      expect(action).toMatch(SENTENCE);
      expect(action).not.toMatch(/\b(a|an|the)\b/i);
      expect(action).toMatch(RESOURCE_WORDS[resource]);
    });

    it('has a description in sentence case that names its object, in the usual words', () => {
      expect(description).toMatch(/^[A-Z].*[^.]$/);
      expect(description).toMatch(RESOURCE_WORDS[resource]);
      expect(description).toMatch(CRUD_DESCRIPTIONS[operation] ?? /./);
    });
  },
);

it('has no two operations with the same action', () => {
  const actions = OPERATIONS.map(({ action }) => action);
  expect(new Set(actions).size).toBe(actions.length);
});

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

describe('labels', () => {
  it('are in Title Case', () => {
    const labels = all.filter(({ type }) => type !== 'notice').map(({ displayName }) => displayName);
    expect(labels.filter((label) => !isTitleCase(label))).toEqual([]);
  });

  it('of choices are in Title Case', () => {
    for (const { name, type, options = [] } of all) {
      if (type !== 'options' && type !== 'multiOptions') continue;
      const names = options.map((option) => option.name);
      expect([name, names.filter((one) => !isTitleCase(one))]).toEqual([name, []]);
    }
  });

  it('of booleans are explained with "Whether"', () => {
    const wrong = all.filter(
      ({ type, description }) => type === 'boolean' && !description?.startsWith('Whether '),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('have placeholders that begin with "e.g."', () => {
    const wrong = all.filter(
      ({ type, placeholder = '' }) =>
        placeholder !== '' &&
        !/^(fixedCollection|collection)$/.test(type) &&
        !placeholder.startsWith('e.g. '),
    );
    expect(wrong.map(({ name, placeholder }) => [name, placeholder])).toEqual([]);
  });

  it('of resource locators begin with the list', () => {
    const locators = all.filter(({ type }) => type === 'resourceLocator');
    expect(locators.length).toBeGreaterThan(3);
    for (const { name, modes = [] } of locators) expect([name, modes[0].name]).toEqual([name, 'list']);
  });
});

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

describe('explanations', () => {
  it('begin with a capital letter', () => {
    expect(texts.filter(([, text]) => !/^[A-Z{]/.test(text))).toEqual([]);
  });

  it('end with a full stop only where they are several sentences', () => {
    const wrong = texts.filter(([, text]) => {
      const plain = text
        .replaceAll(EXCEPT_DOTS, '')
        .replaceAll(/<[^>]+>/g, '')
        .replace(/…$/, '');
      const isSeveral = /[.?!:;]\s+\S/.test(plain.replaceAll(/[:;]\s/g, ' '));
      return isSeveral !== /[.?!]$/.test(plain);
    });
    expect(wrong).toEqual([]);
  });

  it('write ID, URL and API as n8n does', () => {
    const labels = all.map(({ name, displayName }): [string, string] => [name, displayName]);
    const wrong = [...texts, ...labels].filter(([, text]) =>
      /\b(Id|Ids|Url|Urls|Api|url|api|ids)\b/.test(
        text.replaceAll(EXCEPT_DOTS, '').replaceAll(/<code>.*?<\/code>/g, ''),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('do not speak of errors, problems, failures and mistakes', () => {
    expect(texts.filter(([, text]) => /\b(error|problem|mistake)s?\b/i.test(text))).toEqual([]);
  });

  it('say more than the label', () => {
    const words = (text = '') =>
      text
        .toLowerCase()
        .replaceAll(/[^a-z ]/g, '')
        .replace(/^the /, '');
    expect(all.filter(({ displayName, description }) => words(description) === words(displayName))).toEqual(
      [],
    );
  });
});

describe('lists', () => {
  const names = (options: INodeProperties['options'] = []) =>
    options.map((option) => ('displayName' in option ? option.displayName : option.name));
  const sorted = (list: string[]) => [...list].sort((a, b) => a.localeCompare(b));

  it('of five choices and more are sorted by name', () => {
    for (const { name, type, options = [] } of all) {
      if (type !== 'options' && type !== 'multiOptions') continue;
      if (options.length >= 5) expect([name, names(options)]).toEqual([name, sorted(names(options))]);
    }
  });

  it('of options are sorted by name', () => {
    const collections = all.filter(({ type }) => type === 'collection');
    expect(collections.length).toBeGreaterThan(1);
    for (const { name, options } of collections) {
      // The same option may stand there twice, for different operations.
      const distinct = [...new Set(names(options))];
      for (const { resource, operation, properties } of OPERATIONS) {
        const own = properties.find((property) => property.name === name && property.type === 'collection');
        if (own)
          expect([resource, operation, names(own.options)]).toEqual([
            resource,
            operation,
            sorted(names(own.options)),
          ]);
      }
      expect(distinct.length).toBeGreaterThan(0);
    }
  });

  it('that can grow have a button that says what it adds', () => {
    const growing = all.filter(({ typeOptions }) => typeOptions?.multipleValues);
    expect(growing.map(({ placeholder }) => placeholder)).toEqual(
      growing.map(() => expect.stringMatching(/^Add /)),
    );
  });
});
