/** The numbers that operations take: as people write them, with a Default Country, and Number: Check without a gateway. */
import type { IDataObject } from 'n8n-workflow';

import { runAgent } from '../support/agent.mts';
import { approvalForm } from '../support/approval.mts';
import { NUMBERS } from '../corpus/numbers.mts';
import { runNode } from '../support/engine.mts';
import { namedForms } from '../support/operation-cases.mts';
import { codeIn, sendForm, verifyForm } from '../support/otp.mts';
import { previewGaps } from '../support/previews.mts';
import { sentTo, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const sentPhones = () => sentTo(sandbox).map(({ phone }) => phone);

const TAKES_NUMBER = namedForms(({ parameters }) => 'phone' in parameters, sendForm());

describe('the option Default Country', () => {
  const UNKNOWN_COUNTRY =
    "'Default Country' must be an ISO code of a country such as UA, or a calling code such as +380, not Ruritania";

  it.each(TAKES_NUMBER)(
    '%s: is one of each row, and without one a number is refused as ever',
    async (_, { options, ...form }) => {
      const items = [
        { id: 1, phone: '067 123 45 67', country: 'ua' },
        { id: 2, phone: '07700 900001', country: '+44' },
        { id: 3, phone: '+48 512 345 678', country: 380 },
        { id: 4, phone: '067 123 45 67', country: '' },
        { id: 5, phone: '067 123 45 68', country: 'Ruritania' },
        { id: 6, phone: '501234567', country: 'UA' },
      ];
      const parameters = { ...form, options: { ...(options as object), country: '={{ $json.country }}' } };
      const { json } = await runOn(sandbox, { parameters, items, onError: 'continueRegularOutput' });
      expect(sentPhones()).toEqual([380671234567, 447700900001, 48512345678, 380501234567]);
      expect(json.filter(({ error }) => error === undefined).map(({ phone }) => phone)).toEqual(sentPhones());
      expect(json[3].error).toMatch(/^'Phone Number' needs its country code: [^[]*$/);
      expect(json[3].what_to_do).toContain('Row 4: write + and the country code');
      expect(json[4].error).toBe(UNKNOWN_COUNTRY);
    },
  );

  it('is that of everybody who is asked for approval', async () => {
    const phone = '067 123 45 67, (050) 123-45-67; +44 7700 900002';
    const ask = async (country: string) =>
      await runOn(sandbox, { parameters: approvalForm({ phone, options: { country } }) });
    expect((await ask('')).error?.message).toContain("'Phone Number' needs its country code: 067 123 45 67");
    expect((await ask('none')).error?.message).toContain("'Default Country' must be an ISO code");
    expect(sandbox.counts().requests).toBe(0);
    expect((await ask('UA')).error).toBeUndefined();
    expect(sentPhones()).toEqual([380671234567, 380501234567, 447700900002]);
  });

  it('finds the code of a number, however that was written', async () => {
    const item = { phone: '067 765 43 21' };
    const options = { country: 'UA' };
    const sent = await runOn(sandbox, { parameters: sendForm({ options }), items: [item] });
    const items = [{ ...item, challenge: sent.json[0].challenge, code: codeIn(sandbox, 380677654321) }];
    const verify = async (more: IDataObject) =>
      await runOn(sandbox, { parameters: { ...verifyForm, ...more }, items });
    expect((await verify({})).json).toMatchObject([{ valid: false, reason: 'invalid' }]);
    expect((await verify({ options: { country: 'XXX' } })).error?.message).toContain("'Default Country'");
    expect((await verify({ options })).json).toMatchObject([{ valid: true, phone: 380677654321 }]);
  });
});

describe('Number: Check', () => {
  const CHECK = { resource: 'number', operation: 'check', phone: '={{ $json.phone }}' };
  const UNKNOWN = { phone: null, country: null, calling_code: null };

  it('needs no credential and no gateway, and answers on every row', async () => {
    const phones = ['067 123 45 67', '+1 416 555 0100', '+800 1234 5678', 'none', '', 447700900001];
    const items = phones.map((phone) => ({ phone }));
    const run = await runNode({ parameters: { ...CHECK, options: { country: 'UA' } }, items });
    expect(run.error).toBeUndefined();
    const valid = { valid: true, reason: null };
    expect(run.json).toEqual([
      { input: '067 123 45 67', ...valid, phone: 380671234567, country: 'UA', calling_code: 380 },
      { input: '+1 416 555 0100', ...valid, phone: 14165550100, country: 'CA', calling_code: 1 },
      { input: '+800 1234 5678', ...valid, phone: 80012345678, country: null, calling_code: 800 },
      { input: 'none', valid: false, reason: 'It is not a phone number', ...UNKNOWN },
      { input: '', valid: false, reason: 'It is empty', ...UNKNOWN },
      { input: 447700900001, ...valid, phone: 447700900001, country: 'GB', calling_code: 44 },
    ]);
    expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
    expect(previewGaps('number', 'check', run.json)).toEqual([]);
    expect(sandbox.counts().requests).toBe(0);
  });

  it('takes a wrong country for an error and a wrong number for none', async () => {
    const parameters = { ...CHECK, options: { country: '={{ $json.country }}' } };
    const items = [{ phone: 'none' }, { phone: '1', country: 'none' }, { phone: '+380671234567' }];
    const stopped = await runNode({ parameters, items });
    const words = /^'Default Country' must be [^[]*( \[item 1\])?$/;
    expect([stopped.status, stopped.error?.message]).toEqual(['error', expect.stringMatching(words)]);
    expect(stopped.error?.description).toContain('Correct ');
    const { status, outputs } = await runNode({ parameters, items, onError: 'continueErrorOutput' });
    expect(status).toBe('success');
    expect(outputs.map((output) => output.map(({ json }) => json))).toMatchObject([
      [{ valid: false }, { valid: true, phone: 380671234567 }],
      [{ error: expect.stringMatching(words) as string }],
    ]);
  });

  it('reads the numbers of the corpus as the sends do', async () => {
    const items = NUMBERS.map(
      ({ input: { value, country = '' } }) => ({ phone: value, country }) as IDataObject,
    );
    const { json, error } = await runNode({
      parameters: { ...CHECK, options: { country: '={{ $json.country }}' } },
      items,
    });
    expect(error).toBeUndefined();
    for (const [row, { right }] of NUMBERS.entries()) {
      const { valid, phone, reason } = json[row];
      if (typeof right === 'number') expect([row, valid, phone]).toEqual([row, true, right]);
      else expect([row, valid, reason]).toEqual([row, false, expect.stringMatching(right)]);
    }
  });

  it('says where a number looks like one that a spreadsheet shortened, as a send does', async () => {
    const items = ['380501000000', '380501234567', '48512300000'].map((phone) => ({ phone }));
    const { hints } = await runNode({ parameters: CHECK, items });
    expect(hints).toEqual([
      '2 of 3 numbers end in zeros (first: 380501000000, row 1), as those do that a spreadsheet shortened, such as 3.80501E+11: compare with the source',
    ]);
    const sent = await runOn(sandbox, { parameters: smsForm(), items: items.slice(0, 1) });
    expect(sent.hints).toEqual([
      expect.stringMatching(/^The number 380501000000 ends in zeros, as those do/),
    ]);
    expect((await runNode({ parameters: CHECK, items: items.slice(1, 2) })).hints).toEqual([]);
  });

  it('may be called by an agent', async () => {
    const parameters = { ...CHECK, phone: "={{ $fromAI('phone', '', 'string') }}" };
    const { answers } = await runAgent({ parameters, calls: [{ phone: '+380 67 123 45 67' }] });
    expect(answers).toMatchObject([[{ valid: true, phone: 380671234567 }]]);
  });

  it('is the only operation that runs without a credential', async () => {
    const withoutCredential = 'Node does not have any credentials set for "messagingGatewayApi"';
    for (const [name, parameters] of TAKES_NUMBER) {
      const { error } = await runNode({ parameters, items: [{ id: 1, phone: '+380671234567' }] });
      expect([name, error?.message]).toEqual([name, withoutCredential]);
    }
  });
});

it('looks a number up in workflows that were saved before there was another operation, and says what it found', async () => {
  const parameters = { resource: 'number', phone: '={{ $json.phone }}' };
  const items = [{ phone: '+380671234567' }, { phone: '+12125550100' }];
  const { json } = await runOn(sandbox, { parameters, items });
  const eastern = { ported: true, reachable: true, operator: 'Eastern Wireless', country: 'UA' };
  const northern = { ported: false, reachable: true, operator: 'Northern Mobile', country: 'US' };
  expect(json).toMatchObject([
    { type: 'hlr', phone: 380671234567, ...eastern },
    { type: 'hlr', phone: 12125550100, ...northern },
  ]);
});
