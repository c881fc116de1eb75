/** What a question about messages tells, beside two ids that nobody sent and a message that was certainly taken. */
import type { Row } from '../../../nodes/gateway/client/row.ts';
import { READY } from '../../../nodes/gateway/client/row.ts';
import { askAbout, askStatuses, atOnce, KnownMessages } from '../../../nodes/gateway/client/status.ts';
import { json, reset, ScriptedGateway, sms, whole } from '../../support/send-client.mts';

const UNUSED = [2 ** 51, 2 ** 52] as const;
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const rowsOf = (ids: number[]): Row[] =>
  ids.map((id) => ({ operation: { ...sms(1)[0], id }, endpoint: 'sync', state: READY }));

/** What is told of message 5, with message 9 as the witness. */
async function told(status: ScriptedGateway['status'], witness: number | undefined = 9) {
  const gateway = new ScriptedGateway(() => reset);
  gateway.taken.set(9, 1);
  gateway.status = status;
  const { told } = await askAbout(gateway.transport, rowsOf([5]), { unused: UNUSED, witness }, atOnce());
  return told[0];
}

const no = (id: unknown, error: string) => ({ success: false, error, data: { id } });
const shows = (id: unknown, status: string, more = {}) => ({ success: true, data: { id, status, ...more } });

it.each([
  ['QUEUED', 'taken'],
  ['delivered', 'taken'],
  ['PARTIALLY_DELIVERED', 'taken'],
  ['EXPIRED', 'failed'],
  ['REJECTED', 'rejected'],
  ['IN LIMBO', 'seen'],
])('a message that status shows as %s is not sent again: it was %s', async (status, is) => {
  expect((await told((id) => (id === 5 || id === 9 ? shows(id, status) : no(id, 'None')))).is).toBe(is);
});

it('a message with a reply is accepted, whatever its state', async () => {
  const replies = [{ datetime: '2026-01-01T00:00:00Z', message: 'Yes' }];
  const asked = told((id) => (id === 5 ? shows(id, 'IN LIMBO', { replies }) : no(id, 'None')));
  expect((await asked).is).toBe('taken');
});

describe('a message may leave again', () => {
  it('where status answers as for ids that nobody sent, and shows a message that was certainly taken', async () => {
    expect(await told((id) => (id === 9 ? shows(id, 'READ') : no(id, `No ${String(id)} here`)))).toEqual({
      is: 'absent',
      isWitnessed: true,
    });
    const successes = told((id) => shows(id, id === 9 ? 'READ' : 'UNKNOWN'));
    expect(await successes).toEqual({ is: 'absent', isWitnessed: true });
  });

  it('not yet where no message is known to be taken: this status may show none', async () => {
    const gateway = new ScriptedGateway(() => reset);
    const { told: all } = await askAbout(gateway.transport, rowsOf([5]), { unused: UNUSED }, atOnce());
    expect(all).toEqual([{ is: 'absent', isWitnessed: false }]);
  });
});

describe('a message stays unknown, and does not leave again', () => {
  it.each<[string, ScriptedGateway['status']]>([
    ['the same of the witness as of unknown ones', (id) => no(id, 'Not offered')],
    [
      'something else of each unknown id',
      (id) => (id === 9 ? shows(id, 'READ') : no(id, `Trace ${String(Number(id) % 7)}a`)),
    ],
    [
      'something else of one id that nobody sent',
      (id) => (id === 9 ? shows(id, 'READ') : no(id, id === UNUSED[1] ? 'Busy' : 'None')),
    ],
    ['a state of an id that nobody sent', (id) => shows(id, 'DELIVERED')],
    [
      'a refusal in words of its own',
      (id) => (id === 9 ? shows(id, 'READ') : no(id, id === 5 ? 'Busy' : 'None')),
    ],
  ])('where %s is said', async (_, status) => {
    expect(await told(status)).toEqual({ is: 'nothing' });
  });
});

it('asks about fewer messages at a time where the gateway refuses a question for its size, down to 5', async () => {
  const gateway = new ScriptedGateway(() => reset);
  gateway.question = (data) => (data.length > 20 ? whole('Too many operations') : undefined);
  const answers = await askStatuses(gateway.transport, upTo(60));
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['noReport']));
  const sizes = gateway.questions.map(({ length }) => length);
  expect(sizes.filter((size) => size > 20).length).toBeLessThan(4);
  expect(sizes.length).toBeLessThan(10);
  gateway.question = () => json('', 400);
  const refused = await askStatuses(gateway.transport, upTo(60));
  expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(['unanswered']));
  expect(gateway.questions.at(-1)).toHaveLength(5);
});

it('leaves a gateway alone whose status breaks, or asks to wait', async () => {
  for (const answer of [reset, json('', 429)]) {
    const gateway = new ScriptedGateway(() => reset);
    gateway.question = () => (gateway.questions.length === 2 ? answer : undefined);
    const answers = await askStatuses(gateway.transport, upTo(300));
    expect(answers.filter(({ kind }) => kind === 'unanswered')).toHaveLength(200);
    expect(gateway.questions).toHaveLength(2);
  }
});

it('trusts status by a message that it has to show: taken two seconds to twelve hours ago', () => {
  const known = new KnownMessages();
  known.add(1, 10_000);
  expect([known.at(11_999), known.at(12_000)]).toEqual([undefined, 1]);
  known.add(2, 13_000);
  expect([known.at(14_000), known.at(15_000)]).toEqual([1, 2]);
  expect(known.at(13_000 + 12 * 3_600_000)).toBeUndefined();
  // Other runs may send all the time.
  for (let atMs = 20_000; atMs < 30_000; atMs += 100) known.add(atMs, atMs);
  expect(known.at(30_000)).toBe(28_000);
});
