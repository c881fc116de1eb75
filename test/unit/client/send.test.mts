/** What a user sees of a send, by what the gateway and the network do (docs/delivery-guarantees.md). */
import { DepartedMessages } from '../../../nodes/gateway/client/departed.ts';
import type { Verdict } from '../../../nodes/gateway/client/response.ts';
import type { NotAccepted, Row } from '../../../nodes/gateway/client/row.ts';
import { READY, UNDER_WAY } from '../../../nodes/gateway/client/row.ts';
import { KnownMessages } from '../../../nodes/gateway/client/status.ts';
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';
import {
  again,
  countStates,
  failure,
  json,
  reset,
  results,
  ScriptedGateway,
  send,
  sendRows,
  sms,
  states,
  timeout,
  unreachable,
  whole,
} from '../../support/send-client.mts';

const takesAll = () =>
  new ScriptedGateway(({ data, take }) => {
    take();
    return results(data);
  });

/** Gives each of the first requests its own answer, and takes all others. */
const first = (...replies: Array<ConstructorParameters<typeof ScriptedGateway>[0]>) =>
  new ScriptedGateway((visit) => {
    const reply = replies[visit.number - 1];
    if (reply) return reply(visit);
    visit.take();
    return results(visit.data);
  });

const seconds = (gateway: ScriptedGateway) => gateway.askedAtMs.map((ms) => ms / 1000);

describe('an ordinary run', () => {
  it('makes no request whose rows nobody has dealt with, nor with rows that were taken out', async () => {
    const gateway = takesAll();
    const stop = (): void => {
      throw new Error('a full disk');
    };
    await expect(send(gateway, sms(1), { onEvent: stop })).rejects.toThrow('a full disk');
    expect(gateway.sizes).toEqual([]);
    const events: string[] = [];
    await expect(
      send(gateway, sms(5), {
        batchSize: 2,
        onEvent(event) {
          events.push(`${event.is} ${event.rows.map(({ operation }) => operation.id).join(' ')}`);
          if (event.is === 'leaving')
            event.rows = event.rows.filter(({ operation }) => operation.id !== 3 && operation.id !== 5);
        },
      }),
    ).rejects.toThrow();
    expect(events).toEqual(['leaving 1 2', 'settled 1 2', 'leaving 3 4', 'settled 4', 'leaving 5']);
    expect([...gateway.taken.keys()]).toEqual([1, 2, 4]);
  });

  it('sends one message in one request, and asks nothing', async () => {
    const gateway = takesAll();
    expect(states(await send(gateway, sms(1)))).toEqual(['accepted']);
    expect([gateway.sizes, gateway.askedAtMs]).toEqual([[1], []]);
  });

  it.each([
    ['at once', 0, [250, 1000, 4000, 4000, 750]],
    ['in a millisecond each', 1, [250, 1000, 2000, 2000, 2000, 2000, 750]],
    ['in ten milliseconds each', 10, Array.from({ length: 40 }, () => 250)],
  ])(
    'lets requests grow to what the gateway takes in two seconds, up to 4,000: %s',
    async (_, eachMs, sizes) => {
      const gateway: ScriptedGateway = new ScriptedGateway(({ data, take }) => {
        gateway.nowMs += eachMs * data.length;
        take();
        return results(data);
      });
      await send(gateway, sms(10_000));
      expect(gateway.sizes).toEqual(sizes);
    },
  );

  it('keeps a request below a megabyte, in bytes of its texts, and sends a larger message alone', async () => {
    const bodies: number[] = [];
    const texts = [...Array.from({ length: 500 }, () => 'Я'.repeat(2000)), 'Я'.repeat(600_000), 'x'];
    const rows = sms(texts.length).map((one, i) => ({ ...one, sms_message: texts[i] }));
    const gateway = new ScriptedGateway(({ data, take }) => {
      bodies.push(Buffer.byteLength(JSON.stringify(data)));
      take();
      return results(data);
    });
    await send(gateway, rows);
    expect(gateway.sizes).toEqual([220, 220, 60, 1, 1]);
    expect(bodies.filter((bytes) => bytes > 900_000)).toHaveLength(1);
  });

  it('counts no interval between batches as time of a request', async () => {
    const gateway = takesAll();
    await send(gateway, sms(1500), { pauseMs: 60_000 });
    expect(gateway.sizes).toEqual([250, 1000, 250]);
  });

  it('keeps to the batch size of the user', async () => {
    const gateway = takesAll();
    await send(gateway, sms(50), { batchSize: 20 });
    expect(gateway.sizes).toEqual([20, 20, 10]);
  });

  it('refuses a bad row at once by its own result, whatever the words, and needs no more requests for it', async () => {
    const gateway = new ScriptedGateway(({ data, take }) => {
      const isBad = ({ id }: { id?: unknown }) => Number(id) % 33 === 0;
      take(data.filter((operation) => !isBad(operation)));
      return results(data, (operation) => (isBad(operation) ? 'Number is barred' : undefined));
    });
    expect(countStates(await send(gateway, sms(1000)))).toEqual({ accepted: 970, refused: 30 });
    expect([gateway.sizes.length, gateway.askedAtMs, gateway.nowMs]).toEqual([2, [], 1_700_000_000_000]);
  });

  it('sends nothing after a stop', async () => {
    const gateway = takesAll();
    const rows = await send(gateway, sms(300), { stopped: () => gateway.sizes.length === 1 });
    expect(countStates(rows)).toEqual({ accepted: 250, notSent: 50 });
  });
});

describe('a gateway that nothing gets through to', () => {
  it.each<[string, Answer]>([
    ['a refused key', whole('Access denied')],
    ['a refused key with a code', whole('Access denied', 403)],
    ...[301, 302, 401, 404, 405, 407, 415].map((code): [string, Answer] => [`HTTP ${code}`, json('', code)]),
  ])('ends the run with one request: %s', async (_, answer) => {
    const gateway = new ScriptedGateway(() => answer);
    expect(countStates(await send(gateway, sms(300)))).toEqual({ notSent: 300 });
    expect([gateway.sizes, gateway.askedAtMs]).toEqual([[250], []]);
  });

  it.each<NoAnswer>([
    unreachable,
    failure({ kind: 'unreachable', code: 'ENOTFOUND' }),
    failure({ kind: 'blocked', text: 'Not allowed here' }),
  ])('is tried for 15 seconds where no request leaves: %j', async (reply) => {
    const gateway = new ScriptedGateway(() => reply);
    const start = gateway.nowMs;
    expect(states(await send(gateway, sms(1)))).toEqual(['notSent']);
    expect([gateway.nowMs - start, gateway.sizes.length]).toEqual([15_000, 5]);
  });

  it('is not tried again after a stop', async () => {
    const gateway = new ScriptedGateway(() => unreachable);
    const rows = await send(gateway, sms(1), { stopped: () => gateway.sizes.length === 2 });
    expect([states(rows), gateway.sizes.length]).toEqual([['notSent'], 2]);
  });

  it('leaves rows that were not sent as if they had never left, so that a Retry sends them without a question', async () => {
    const gateway = first(() => json('', 404));
    const rows = await send(gateway, sms(2));
    expect(states(await sendRows(gateway, again(rows)))).toEqual(['accepted', 'accepted']);
    expect(gateway.askedAtMs).toEqual([]);
  });
});

describe('a broken exchange', () => {
  it.each([
    ['a reset', reset],
    ['HTTP 502', json('Bad gateway', 502)],
    ['a web page', json('<html>Maintenance</html>')],
    ['a cut answer', json('{"success":true,"data":[{"succ')],
    ['too few results', json({ success: true, data: [] })],
    ['words of a fault', whole('Internal server error')],
  ])('with a request that was taken is found out a second later: %s', async (_, answer) => {
    const gateway = first(({ take }) => {
      take();
      return answer;
    });
    expect(countStates(await send(gateway, sms(60)))).toEqual({ accepted: 60 });
    expect([gateway.twice, seconds(gateway)]).toEqual([0, [1]]);
  });

  it('with a request that never came is sent once more after two minutes, beside a message that is known', async () => {
    const gateway = first(() => reset);
    expect(states(await send(gateway, sms(3), { known: 77 }))).toEqual(['accepted', 'accepted', 'accepted']);
    expect([gateway.sizes, gateway.twice]).toEqual([[3, 3], 0]);
    expect(seconds(gateway)).toEqual([1, 5, 15, 30, 60, 120]);
  });

  it('with a key is asked about once more right before it leaves again: another run may have sent the message', async () => {
    const gateway = first(() => reset);
    gateway.question = () => {
      // The other run sends behind the last question about the broken exchange.
      if (gateway.askedAtMs.length === 9) gateway.taken.set(1, 1);
      return undefined;
    };
    const rows = await send(gateway, sms(1), { known: 77, rows: { hasKey: true } });
    expect(seconds(gateway)).toEqual([0, 2, 3, 7, 17, 32, 62, 122, 122]);
    expect([states(rows), gateway.sizes]).toEqual([['accepted'], [1]]);
  });

  it('stays unknown after the next broken exchange, whatever comes in between', async () => {
    const gateway = new ScriptedGateway(({ number }) => (number % 2 === 1 ? reset : json('', 429)));
    expect(states(await send(gateway, sms(1), { known: 77 }))).toEqual(['unknown']);
    expect(gateway.sizes).toEqual([1, 1, 1]);
  });

  it('stays unknown where the request after it reaches nobody', async () => {
    const gateway = new ScriptedGateway(({ number }) => (number === 1 ? reset : unreachable));
    expect(states(await send(gateway, sms(3), { known: 77 }))).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('stays unknown while no message is known to be taken, however surely the gateway denies it', async () => {
    const gateway = first(() => reset);
    expect(states(await send(gateway, sms(1)))).toEqual(['unknown']);
    expect(gateway.sizes).toEqual([1]);
  });

  it.each([
    'Message not found',
    'Not offered',
    'Brak usługi',
    'Dienst ist nicht gebucht',
    'Contact your manager',
  ])('is never repeated where status says the same of every id: %s', async (words) => {
    for (const known of [undefined, 77]) {
      const gateway = first(({ take }) => {
        take();
        return reset;
      });
      gateway.status = (id) => ({ success: false, error: words, data: { id } });
      expect(states(await send(gateway, sms(1), { known }))).toEqual(['unknown']);
      expect(gateway.twice).toBe(0);
    }
  });

  it.each([20, 31, 60, 110])('whose request is taken %i seconds later is taken once', async (later) => {
    let takeAll = () => undefined as void;
    const gateway = first(({ take }) => {
      takeAll = take;
      return json('', 503);
    });
    const start = gateway.nowMs;
    const { status } = gateway;
    gateway.status = (id, isTaken) => {
      if (gateway.taken.size < 2 && gateway.nowMs - start >= 1000 * later) takeAll();
      return status(id, isTaken || (gateway.taken.has(id) && id !== 77));
    };
    expect(countStates(await send(gateway, sms(60), { known: 77 }))).toEqual({ accepted: 60 });
    expect([gateway.twice, gateway.sizes]).toEqual([0, [60]]);
  });

  it('ends the run where the next one breaks too: what left is unknown, and what never left is not sent', async () => {
    const gateway = new ScriptedGateway(() => reset);
    expect(countStates(await send(gateway, sms(500), { batchSize: 100, known: 7777 }))).toEqual({
      unknown: 100,
      notSent: 400,
    });
    expect(gateway.sizes).toEqual([100, 100]);
  });
});

describe('a time limit', () => {
  it.each([
    ['of the node', timeout],
    ['of a front', json('', 504)],
  ])('%s that is over leaves the message unknown, and no try sends it again', async (_, answer) => {
    const gateway = first(() => answer);
    const rows = await send(gateway, sms(1), { known: 77 });
    expect(states(rows)).toEqual(['unknown']);
    gateway.nowMs += 3_600_000;
    expect(states(await sendRows(gateway, again(rows), { known: 77 }))).toEqual(['unknown']);
    expect(gateway.sizes).toEqual([1]);
  });

  it('is over before the gateway takes the message a minute later: it comes out as accepted', async () => {
    const gateway = first(() => timeout);
    const start = gateway.nowMs;
    gateway.status = (id, isTaken) =>
      isTaken || (id === 1 && gateway.nowMs - start >= 60_000)
        ? { success: true, data: { id, status: 'DELIVERED' } }
        : { success: false, error: 'Unknown', data: { id } };
    expect(states(await send(gateway, sms(1)))).toEqual(['accepted']);
  });
});

describe('a request that is refused as a whole', () => {
  it('is split until the one bad row of 1,000 is found, and all others are sent', async () => {
    const gateway = new ScriptedGateway(({ data, take }) => {
      if (data.some(({ id }) => id === 637)) return whole('Invalid JSON');
      take();
      return results(data);
    });
    const rows = await send(gateway, sms(1000), { batchSize: 1000 });
    expect(countStates(rows)).toEqual({ accepted: 999, refused: 1 });
    expect(rows[636].state.is).toBe('refused');
    expect([gateway.twice, gateway.sizes.length]).toEqual([0, 21]);
  });

  it('of one row is a refusal of that row, without a question', async () => {
    const gateway = new ScriptedGateway(() => whole('Not enough money'));
    expect(states(await send(gateway, sms(1)))).toEqual(['refused']);
    expect(gateway.askedAtMs).toEqual([]);
  });

  it('again and again ends the run after 16 requests, with the words of the gateway', async () => {
    const gateway = new ScriptedGateway(() => whole('Not enough money'));
    const rows = await send(gateway, sms(500));
    expect(gateway.sizes).toHaveLength(16);
    const { state } = rows[499];
    expect(state).toMatchObject({ is: 'notSent', problem: { text: 'Not enough money' } });
  });

  it('but was taken all the same, is sent once, and its messages come out as accepted', async () => {
    const gateway = first(({ take }) => {
      take();
      return whole('Limit of the day');
    });
    expect(countStates(await send(gateway, sms(50)))).toEqual({ accepted: 50 });
    expect(gateway.twice).toBe(0);
  });

  it('for its size keeps the requests after it below that size', async () => {
    const gateway = new ScriptedGateway(({ data, take }) => {
      if (data.length > 7) return json('', 413);
      take();
      return results(data);
    });
    expect(countStates(await send(gateway, sms(300)))).toEqual({ accepted: 300 });
    expect(gateway.sizes.filter((size) => size > 7).length).toBeLessThan(10);
  });
});

describe('a gateway that asks to wait', () => {
  /** Takes ten messages a second. */
  const limiter = (retryAfter?: number) => {
    let budget = 10;
    let lastMs = 0;
    const gateway = new ScriptedGateway(({ data, take }) => {
      gateway.nowMs += 30;
      budget = Math.min(10, budget + ((gateway.nowMs - (lastMs || gateway.nowMs)) / 1000) * 10);
      lastMs = gateway.nowMs;
      if (data.length > budget) return json('', 429, { retryAfter });
      budget -= data.length;
      take();
      return results(data);
    });
    return gateway;
  };

  it.each([undefined, 1])(
    'gets all of 1,000 messages within five minutes, told to wait: %s',
    async (retryAfter) => {
      const gateway = limiter(retryAfter);
      const start = gateway.nowMs;
      expect(countStates(await send(gateway, sms(1000)))).toEqual({ accepted: 1000 });
      expect(gateway.nowMs - start).toBeLessThan(300_000);
      expect(gateway.twice).toBe(0);
    },
  );

  it('is waited for as long as it names', async () => {
    const gateway = first(() => json('', 429, { retryAfter: 40 }));
    const start = gateway.nowMs;
    expect(states(await send(gateway, sms(1)))).toEqual(['accepted']);
    // And a second between its question and its departure.
    expect(gateway.nowMs - start).toBe(41_000);
  });

  it('for more than two minutes ends the run', async () => {
    const gateway = new ScriptedGateway(() => json('', 429, { retryAfter: 3600 }));
    expect(countStates(await send(gateway, sms(300)))).toEqual({ notSent: 300 });
    expect(gateway.sizes).toEqual([250]);
  });
});

describe('a row that may have been sent before', () => {
  const key = { hasKey: true };

  it('with a key is asked about twice before it leaves, and leaves once', async () => {
    const gateway = takesAll();
    expect(states(await send(gateway, sms(2), { rows: key }))).toEqual(['accepted', 'accepted']);
    expect(seconds(gateway)).toEqual([0, 2]);
    const [found] = await send(gateway, sms(1), { rows: key });
    expect(found.state).toMatchObject({ is: 'accepted', duplicate: true });
    expect(gateway.twice).toBe(0);
  });

  it.each([
    ['does not answer', () => json('', 503)],
    ['says the same of every id', undefined],
  ])('with a key stays where status %s', async (_, question) => {
    const gateway = takesAll();
    gateway.question = question;
    gateway.status = (id) => ({ success: false, error: 'Not offered', data: { id } });
    expect(states(await send(gateway, sms(1), { rows: key, known: 77 }))).toEqual(['notSent']);
    expect(gateway.sizes).toEqual([]);
  });

  it('stays where status falls silent, and what never left goes out all the same', async () => {
    const rows = await send(
      first(({ data }) => results(data, () => 'Sender')),
      sms(20),
    );
    const gateway = takesAll();
    gateway.question = () => (gateway.askedAtMs.length > 1 ? json('', 503) : undefined);
    const more = await send(new ScriptedGateway(() => json('', 404)), sms(3, 100));
    const tried = await sendRows(gateway, again([...rows, ...more]), { batchSize: 1 });
    expect(countStates(tried)).toEqual({ refused: 20, accepted: 3 });
    expect(gateway.sizes).toEqual([1, 1, 1]);
    // The first of the two questions, and four for each of the first 16 rows.
    expect(gateway.askedAtMs).toHaveLength(1 + 4 * 16);
  });

  it('with a key is not sent where the run ends between its request, refused for another row, and the next', async () => {
    const gateway = new ScriptedGateway(({ number }) =>
      whole(number === 1 ? 'Row 3: invalid number' : 'Access denied'),
    );
    const rows = await send(gateway, sms(12), { rows: key });
    expect(gateway.sizes).toEqual([12, 3]);
    expect(countStates(rows)).toEqual({ notSent: 12 });
    expect(rows.map(({ state }) => (state as NotAccepted).problem)).toEqual(
      Array(12).fill((rows[0].state as NotAccepted).problem),
    );
  });

  it('by another Retry is asked about, and in the queue never leaves again', async () => {
    const gateway = takesAll();
    const refused = await send(
      first(({ data }) => results(data, () => 'Sender')),
      sms(1),
    );
    expect(states(await sendRows(gateway, again(refused, { mayHaveBeenSent: true })))).toEqual(['accepted']);
    expect(seconds(gateway)).toEqual([0, 2]);
    const queue = takesAll();
    const rows = { mayHaveBeenSent: true, wasBegun: true };
    expect(states(await send(queue, sms(1), { endpoint: 'async', rows }))).toEqual(['unknown']);
    expect(queue.sizes).toEqual([]);
  });

  describe('by an execution that is still at work in this process', () => {
    /** A gateway that takes the first request some seconds after its connection broke. */
    function takesLate(seconds: number) {
      let late: { atMs: number; take: () => void } | undefined;
      const arrive = () => {
        if (late === undefined || gateway.nowMs < late.atMs) return;
        late.take();
        late = undefined;
      };
      const gateway: ScriptedGateway = new ScriptedGateway(({ data, number, take }) => {
        arrive();
        if (number > 1) {
          take();
          return results(data);
        }
        late = { atMs: gateway.nowMs + 1000 * seconds, take };
        return reset;
      });
      const { status } = gateway;
      gateway.status = (id) => {
        arrive();
        return status(id, gateway.taken.has(id));
      };
      return gateway;
    }

    it.each([0, 5, 20, 60, 110])(
      'is taken once, though the gateway takes its broken request after %i s',
      async (seconds) => {
        for (const rows of [{ mayHaveBeenSent: true }, { hasKey: true }]) {
          const gateway = takesLate(seconds);
          const departed = new DepartedMessages();
          // The first execution was stopped while it asked.
          let asked = 0;
          const stopped = () => (asked += 1) > 3;
          await send(gateway, sms(5), { departed, execution: 'first', stopped });
          const again = await send(gateway, sms(5), { departed, execution: 'second', rows });
          expect([gateway.taken.size, gateway.twice]).toEqual([5, 0]);
          expect(countStates(again)).toEqual({ accepted: 5 });
        }
      },
    );

    it('is known as taken, or under way, where the run ends before its row leaves', async () => {
      const departed = new DepartedMessages();
      const taken: Verdict = { kind: 'results', items: [{ is: 'accepted' }] };
      // Another execution sends rows 2 and 3 during the request of row 1, and has the answer for row 2.
      const gateway: ScriptedGateway = new ScriptedGateway(() => {
        for (const id of [2, 3]) {
          const row = { operation: { type: 'sms', id }, endpoint: 'sync', state: { is: 'ready' } } as const;
          const { batch } = departed.begin([row], 'second', gateway.nowMs);
          if (id === 2) departed.end(batch, taken, gateway.nowMs);
        }
        return whole('Access denied');
      });
      const rows = await send(gateway, sms(4), {
        ...{ departed, batchSize: 1, known: 999, rows: { mayHaveBeenSent: true } },
      });
      expect(states(rows)).toEqual(['notSent', 'accepted', 'unknown', 'notSent']);
    });

    it('is waited for once, not batch by batch', async () => {
      const departed = new DepartedMessages();
      // Another execution sends rows 2 to 4 during the request of row 1, and gets no answer.
      const gateway: ScriptedGateway = new ScriptedGateway(({ data, take }) => {
        const theirs = sms(3, 2).map((operation) => ({ operation, endpoint: 'sync', state: READY }) as const);
        departed.begin(theirs, 'second', gateway.nowMs);
        take();
        return results(data);
      });
      const rows = await send(gateway, sms(4), {
        ...{ departed, batchSize: 1, known: 999, rows: { mayHaveBeenSent: true } },
      });
      expect(states(rows)).toEqual(['accepted', 'unknown', 'unknown', 'unknown']);
      expect(gateway.sizes).toEqual([1]);
      // Of all rows at first and of row 1 before it leaves; of row 2 until the wait is over; of rows 3 and 4 once each.
      expect(seconds(gateway)).toEqual([0, 2, 3, 7, 17, 32, 62, 122, 122, 122]);
    });

    it('is in doubt again where status denies what it has shown before', async () => {
      const gateway = takesAll();
      gateway.question = () => {
        if (gateway.questions.length === 2) gateway.taken.clear();
        return undefined;
      };
      const rows = await send(gateway, sms(1), { known: 999, rows: { mayHaveBeenSent: true } });
      expect([states(rows), gateway.sizes]).toEqual([['unknown'], []]);
    });

    it('is known as taken, though status shows it late', async () => {
      const gateway = takesAll();
      const departed = new DepartedMessages();
      await send(gateway, sms(5), { departed, execution: 'first' });
      gateway.taken.clear();
      const again = await send(gateway, sms(5), {
        departed,
        execution: 'second',
        rows: { mayHaveBeenSent: true },
      });
      expect(again.map(({ state }) => state)).toEqual(Array(5).fill({ is: 'accepted' }));
      expect(gateway.taken.size).toBe(0);
    });
  });

  it('by a try that n8n cut off in the middle is not sent again', async () => {
    const gateway = first(({ take }) => {
      take();
      throw new Error('a bug of ours');
    });
    const rows = sms(2).map((operation) => ({
      operation,
      endpoint: 'sync' as const,
      state: { is: 'ready' as const },
    }));
    const journal: Row[] = [];
    await expect(
      sendRows(gateway, rows, {
        onEvent(event) {
          if (event.is !== 'leaving') return;
          for (const row of event.rows)
            journal.push({ ...row, state: UNDER_WAY, departures: event.departure });
        },
      }),
    ).rejects.toThrow('a bug of ours');
    expect(states(await sendRows(gateway, again(journal)))).toEqual(['accepted', 'accepted']);
    expect(gateway.twice).toBe(0);
  });

  it('with words for a duplicate, of which status knows nothing, is unknown', async () => {
    const gateway = new ScriptedGateway(({ data }) => results(data, () => 'Duplicate id'));
    expect(states(await send(gateway, sms(1), { known: 77 }))).toEqual(['unknown']);
  });
});

describe('the queue', () => {
  it('has what it gives a receipt for', async () => {
    const gateway = new ScriptedGateway(() => json({ success: true, request_id: 'r-1' }));
    const [row] = await send(gateway, sms(1), { endpoint: 'async' });
    expect(row.state).toMatchObject({ is: 'accepted', requestId: 'r-1' });
  });

  it('that breaks may have the rows: they never leave again', async () => {
    const gateway = first(() => reset);
    const rows = await send(gateway, sms(1), { endpoint: 'async', known: 77 });
    gateway.nowMs += 600_000;
    expect(states(await sendRows(gateway, again(rows), { known: 77 }))).toEqual(['unknown']);
    expect(gateway.sizes).toEqual([1]);
  });

  it('that answers for a row with a fault may have the row, though the next try does not use the queue', async () => {
    const gateway = first(({ data }) => results(data, () => 'Internal server error'));
    const rows = await send(gateway, sms(1), { endpoint: 'async', known: 77 });
    gateway.nowMs += 600_000;
    expect(states(await sendRows(gateway, again(rows, { endpoint: 'sync' }), { known: 77 }))).toEqual([
      'unknown',
    ]);
    expect(gateway.sizes).toEqual([1]);
  });

  it('that refuses a request in words splits it like any other', async () => {
    const gateway = new ScriptedGateway(({ data, take }) => {
      if (data.some(({ id }) => id === 3)) return whole('Invalid number');
      take();
      return json({ success: true, request_id: 'r-2' });
    });
    expect(states(await send(gateway, sms(4), { endpoint: 'async' }))).toEqual([
      'accepted',
      'accepted',
      'refused',
      'accepted',
    ]);
  });
});

describe('what status is not asked about', () => {
  it('is no message that status has to know', async () => {
    const lookup = { type: 'hlr' as const, id: 9, phone: 380501234567 };
    const gateway = takesAll();
    const known = new KnownMessages();
    await send(gateway, [lookup], { recovery: 'none', messages: known });
    expect(known.at(gateway.nowMs + 60_000)).toBeUndefined();
    // An id of the user's own may be smaller than those that the node makes.
    await send(gateway, sms(1, 5), { messages: known, rows: { hasOwnId: true } });
    expect(known.at(gateway.nowMs + 60_000)).toBeUndefined();
    await send(gateway, sms(1), { messages: known });
    expect(known.at(gateway.nowMs + 60_000)).toBe(1);
  });

  it('is no message that the gateway denies, though it was known', async () => {
    const gateway = first(() => reset);
    const known = new KnownMessages();
    known.add(77, gateway.nowMs - 600_000);
    expect(states(await send(gateway, sms(1), { messages: known }))).toEqual(['unknown']);
    expect(known.at(gateway.nowMs)).toBeUndefined();
  });

  it('is read again where it only reads', async () => {
    const gateway = first(
      () => reset,
      () => json('', 503),
    );
    expect(states(await send(gateway, sms(1), { recovery: 'repeat' }))).toEqual(['accepted']);
    expect(gateway.askedAtMs).toEqual([]);
  });

  it('stays unknown where it costs money, in every later try too', async () => {
    const gateway = first(() => reset);
    const rows = await send(gateway, sms(1), { recovery: 'none' });
    expect(states(rows)).toEqual(['unknown']);
    expect(states(await sendRows(gateway, again(rows), { recovery: 'none' }))).toEqual(['unknown']);
    expect(gateway.sizes).toEqual([1]);
  });
});
