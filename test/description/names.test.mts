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

it('asks for the key in a password field', () => {
  const key = credentialType().properties.find(({ name }) => name === 'apiKey');
  expect(key?.typeOptions).toMatchObject({ password: true });
});
