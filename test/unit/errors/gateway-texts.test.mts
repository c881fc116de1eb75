import type { WireType } from '../../../nodes/gateway/contract/operations.ts';
import { explain } from '../../../nodes/gateway/errors/catalogue.ts';
import { findTextEntry, TEXT_ENTRIES } from '../../../nodes/gateway/errors/gateway-texts.ts';
import { REFUSALS } from '../../support/gateway-refusals.mts';

/** Refusals that sound like an entry and are not one, or that no entry explains. */
const UNEXPLAINED: Array<[text: string, wireType?: WireType]> = [
  ['Something went sideways', 'sms'],
  ['Duplicate channel in pipeline', 'pipeline'],
  ['pipeline values must not repeat', 'pipeline'],
  ['Duplicate text to this number within 10 minutes', 'sms'],
  ['viber_carousel has to have 2 to 5 slides', 'viber'],
  ['no reason given'],
];

const explained = (text: string, wireType?: WireType) =>
  wireType === undefined ? explain({ kind: 'envelope', text }) : explain({ kind: 'item', text, wireType });

describe('what the gateway says', () => {
  it.each(REFUSALS.map(([text, code, wireType]) => ({ text, code, wireType })))(
    'explains "$text" as $code',
    ({ text, code, wireType }) => {
      const explanation = explained(text, wireType);
      expect(explanation.code).toBe(code);
      expect(explanation.message).toContain(`"${text}"`);
      expect(explanation.description.length).toBeGreaterThan(30);
      const entry = findTextEntry({ text, wireType });
      expect(explanation.failure).toEqual(entry?.failure);
      expect(explanation.retry).toBe(entry?.retry);
      expect(explanation.stop).toBe(entry?.stop);
      expect(explanation.accepted).toBe(entry?.accepted);
    },
  );

  it('has a sample for each entry', () => {
    const used = new Set(
      REFUSALS.map(([text, , wireType]) => {
        const entry = findTextEntry({ text, wireType });
        return entry === undefined ? -1 : TEXT_ENTRIES.indexOf(entry);
      }),
    );
    expect([...used].sort((a, b) => a - b)).toEqual(TEXT_ENTRIES.map((_, i) => i));
  });

  it.each(UNEXPLAINED.map(([text, wireType]) => ({ text, wireType })))(
    'passes "$text" on as it is',
    ({ text, wireType }) => {
      const explanation = explained(text, wireType);
      expect(explanation.code).toBe('refused');
      expect(explanation.message).toContain(`"${text}"`);
      expect(explanation).not.toHaveProperty('failure');
      expect(explanation).not.toHaveProperty('accepted');
    },
  );

  it('takes only a duplicate id for accepted', () => {
    expect(TEXT_ENTRIES.filter(({ accepted }) => accepted).map(({ code }) => code)).toEqual(['duplicate-id']);
    expect(explained('Duplicate id', 'template/create')).not.toHaveProperty('accepted');
    expect(explained('Duplicate id', 'status')).not.toHaveProperty('accepted');
  });

  it('names the four causes of "Access denied"', () => {
    const { description, failure } = explained('Access denied');
    expect(description).toMatch(/key is wrong.*switched off.*allow-list.*disabled/);
    expect(failure).toEqual({ cause: 'credential-invalid' });
  });

  it.each([
    ['sms', "'SMS Sender'"],
    ['viber+sms', "'SMS Sender' or 'Viber Sender'"],
    ['rcs+viber+sms', "'SMS Sender', 'Viber Sender' or 'RCS Sender'"],
    ['pipeline', "'Sender'"],
  ] as const)('names the parameters of the sender of %s', (wireType, names) => {
    expect(explained('Error in Alpha-name', wireType).description).toContain(` in ${names},`);
  });

  it('names the limits of the lifetimes that the operation has', () => {
    expect(explained('wrong lifetime', 'sms').description).toBe(
      "'SMS Lifetime' takes 3600 to 259200 seconds. Change it, or take it out of 'Options'.",
    );
    expect(explained('wrong lifetime', 'viber+sms').description).toContain(
      "'Viber Lifetime' takes 60 seconds or more.",
    );
    expect(explained('wrong lifetime', 'viber+sms').description).not.toContain('RCS');
  });

  it('quotes long and broken texts on one line, shortened', () => {
    const { message } = explained(`a\n\tb ${'x'.repeat(5000)}`, 'sms');
    expect(message).toContain('"a b xxx');
    expect(message.length).toBeLessThan(600);
  });

  it.each(['', '  '])('says so where no reason was given', (text) => {
    expect(explained(text, 'sms').message).toBe('The gateway refused this operation: "no reason given"');
  });
});
