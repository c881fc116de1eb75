/** Verify: what it answers, what it counts, what a repeated try does, and the typed code in its input. */
import type { IDataObject } from 'n8n-workflow';

import { sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import { deriveCode } from '../../../nodes/gateway/otp/code.ts';
import { deriveOtpKeys } from '../../../nodes/gateway/otp/keys.ts';
import { API_KEY, errorOf, jsonOf, OtpHost } from '../../support/otp-memory.mts';

const KEYS = deriveOtpKeys(API_KEY);
const OK = { valid: true, reason: 'ok', attempts_left: 0 };
const wrong = (left: number) => ({ valid: false, reason: 'wrong', attempts_left: left });
const failed = (reason: string) => ({ valid: false, reason, attempts_left: 0 });

let id = 1_000_000;
let host: OtpHost;

beforeEach(() => {
  id += 1;
  host = new OtpHost();
});

/** A challenge that was sent just now, and an item that answers it. */
function sent(more: object = {}, phone = 447700900001) {
  const issuedAt = Date.now();
  const source = { id, phone, length: 6 };
  const challenge = sealChallenge(KEYS, {
    ...source,
    root: id,
    issuedAt,
    expiresAt: issuedAt + 300_000,
    channels: ['sms'],
    ...more,
  });
  const code = deriveCode(KEYS, source);
  const item = (typed: unknown = code): IDataObject => ({ challenge, phone, code: typed as string });
  return { item, code, challenge };
}
const other = (code: string) => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');
const verify = async (...items: IDataObject[]) => (await host.verify(items)).map(jsonOf);

describe('the answer', () => {
  it('is ok once, and used after that', async () => {
    const { item, code } = sent();
    expect(await verify(item(other(code)))).toEqual([wrong(4)]);
    expect(await verify(item())).toEqual([OK]);
    expect(await verify(item())).toEqual([failed('used')]);
  });

  it('counts the items of a run for each other, in order', async () => {
    const { item, code } = sent();
    expect(await verify(item(other(code)), item(), item())).toEqual([wrong(4), OK, failed('used')]);
  });

  it('is that of the challenge for what is not its own, and counts nothing', async () => {
    const { item } = sent();
    const { item: late } = sent({ expiresAt: Date.now() });
    expect(await verify({ ...item(), challenge: 'x' }, { ...item(), phone: 1 }, late())).toEqual([
      failed('invalid'),
      failed('invalid'),
      failed('expired'),
    ]);
    expect(host.recorded).toEqual([]);
  });

  it('allows as many attempts as the option says', async () => {
    const { item, code } = sent();
    const run = async () => (await host.verify([item(other(code))], { maxAttempts: 2 })).map(jsonOf);
    expect([...(await run()), ...(await run()), ...(await run())]).toEqual([
      wrong(1),
      wrong(0),
      failed('too_many_attempts'),
    ]);
  });
});

describe('an option out of its range', () => {
  it('fails its item, and the others go on', async () => {
    const { item } = sent();
    const options = '={{ $json.options }}' as unknown as IDataObject;
    const [bad, good] = await host.verify(
      [
        { ...item(), options: { maxAttempts: 11 } },
        { ...item(), options: {} },
      ],
      options,
    );
    expect(errorOf(bad).error.message).toBe("'Max Attempts' must be a whole number from 1 to 10");
    expect(jsonOf(good)).toEqual(OK);
  });

  it('ends the run before anything is counted, where On Error is set to stop', async () => {
    const { item, code } = sent();
    const options = '={{ $json.options }}' as unknown as IDataObject;
    const items = [item(other(code)), { ...item(), options: { maxAttempts: 0 } }];
    await expect(host.verify(items, options, { onError: 'stopWorkflow' })).rejects.toThrow(
      "'Max Attempts' must be a whole number from 1 to 10",
    );
    expect(host.recorded).toEqual([]);
  });
});

describe('a repeated try', () => {
  it('answers what the first one answered, and counts nothing', async () => {
    const { item, code } = sent();
    const memory = {};
    const first = await host.verify([item(other(code))], {}, { memory });
    const { length } = host.recorded;
    expect(await host.verify([item()], {}, { memory })).toEqual(first);
    expect(host.recorded).toHaveLength(length);
    expect(await verify(item(other(code)))).toEqual([wrong(3)]);
  });

  it('goes on with what could not be recorded', async () => {
    const { item } = sent();
    const memory = {};
    host.failures.push(...Array.from({ length: 5 }, () => new Error('locked')));
    const [first] = await host.verify([item()], {}, { memory });
    expect(errorOf(first).error).toEqual({
      kind: 'input',
      message: 'n8n could not record this in its database',
      description:
        "The code was not verified, and the attempt does not count. n8n's database answered: locked. Run the node again.",
    });
    expect((await host.verify([item()], {}, { memory })).map(jsonOf)).toEqual([OK]);
  });
});

describe('the typed code', () => {
  it('is replaced wherever the input holds it, however it is written', async () => {
    const { item, code } = sent();
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const input = {
      ...item(spaced),
      again: code,
      number: Number(code),
      body: { list: [code, 'kept', { deep: `-${code}` }], none: null, off: false, longer: `${code}1` },
    };
    await host.verify([input]);
    expect(input).toEqual({
      ...item('[code]'),
      again: '[code]',
      number: '[code]',
      body: { list: ['[code]', 'kept', { deep: '[code]' }], none: null, off: false, longer: `${code}1` },
    });
  });

  it('is replaced as well where it is wrong or comes too late', async () => {
    const { item, code } = sent();
    const late = sent({ expiresAt: 0 });
    const items = [item(other(code)), late.item()];
    await host.verify(items);
    expect(items.map((one) => one.code)).toEqual(['[code]', '[code]']);
  });

  it('stays where it has too few digits to be one, so that other fields are not taken for it', async () => {
    const { item } = sent();
    const short = { ...item('123'), other: '123' };
    const number = { ...item(12), other: 12, padded: '0012' };
    await host.verify([short, number]);
    expect(short).toMatchObject({ code: '123', other: '123' });
    // A number lost its zeros on the way: 12 stands for 0012.
    expect(number).toMatchObject({ code: '[code]', other: '[code]', padded: '[code]' });
  });

  it('of four digits is long enough', async () => {
    const { item } = sent();
    const input = item('1234');
    await host.verify([input]);
    expect(input.code).toBe('[code]');
  });
});
