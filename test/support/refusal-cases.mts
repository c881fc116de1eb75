/** Cases of the proof in which a gateway speaks of what it refuses, in which it answers with codes, and in which `status` fails. */
import type { Conduct, HostileGateway, Operation, Reply, Result } from './hostile-gateway.mts';
import { refusal, success, wordless } from './hostile-gateway.mts';

/** What has to come of the rows of a case. */
export interface RefusalCase {
  name: string;
  rows: number;
  /** Operations in a request; left out: as many as the node likes. */
  batchSize?: number;
  /** What the gateway does; made anew for each run. */
  conduct(): Conduct;
  /** How many messages the gateway has to have taken in the end; left out where that is open. */
  taken?: number;
  /** Whether nobody can know what became of them. */
  isUnknowable?: true;
}

const ROWS = 60;

/** Words under which gateways write down what they refuse. */
const STATES = [
  'REJECTED',
  'ERROR',
  'CANCELLED',
  'BLOCKED',
  'STOPLIST',
  'INSUFFICIENT FUNDS',
  'NOT SENT',
  'Отклонено',
  '余额不足',
  16,
] as const;

/** Three rows in ten are bad. */
const isBad = ({ phone = 0 }: Operation): boolean => phone % 10 > 6;
const BAD = 0.3 * ROWS;

/** Refusals that the gateway writes down. */
export const loggedCases = (): RefusalCase[] =>
  STATES.flatMap((state): RefusalCase[] => {
    const eachBad = (gateway: HostileGateway, operations: Operation[]): Reply =>
      success(
        operations.map((one) =>
          isBad(one) ? gateway.refuse(one, 'Number is barred', state) : gateway.take(one),
        ),
      );
    const each = (gateway: HostileGateway, operations: Operation[]): Reply =>
      success(operations.map((one) => gateway.refuse(one, 'Insufficient funds', state)));
    const whole = (gateway: HostileGateway, operations: Operation[]): Reply => {
      for (const one of operations) gateway.refuse(one, '', state);
      return refusal('Insufficient funds');
    };
    return [
      {
        name: `some rows are refused as ${state}`,
        rows: ROWS,
        conduct: () => ({ send: eachBad }),
        taken: ROWS - BAD,
      },
      { name: `all rows are refused as ${state}`, rows: ROWS, conduct: () => ({ send: each }), taken: 0 },
      { name: `one row is refused as ${state}`, rows: 1, conduct: () => ({ send: each }), taken: 0 },
      {
        name: `requests are refused, each row as ${state}`,
        rows: ROWS,
        conduct: () => ({ send: whole }),
        taken: 0,
      },
    ];
  });

const CODES = [400, 401, 403, 404, 405, 413, 415, 429, 500, 503] as const;

const takeAll = (gateway: HostileGateway, operations: Operation[]): Result[] =>
  operations.map((one) => gateway.take(one));

/** Conduct of the first request; the others are answered as they should be. */
const atFirst = (first: Conduct['send']): Conduct => {
  let isFirst = true;
  return {
    send(gateway, operations) {
      if (!isFirst) return success(takeAll(gateway, operations));
      isFirst = false;
      return first(gateway, operations);
    },
  };
};

/** HTTP codes beside any body. */
export const codeCases = (): RefusalCase[] =>
  CODES.flatMap((code): RefusalCase[] => [
    {
      name: `${code} with all results`,
      rows: ROWS,
      conduct: () => ({ send: (gateway, operations) => success(takeAll(gateway, operations), code) }),
      taken: ROWS,
    },
    {
      name: `${code} with all results, for status too`,
      rows: ROWS,
      conduct: () => ({
        ...atFirst((gateway, operations) => {
          takeAll(gateway, operations.slice(0, 20));
          return undefined;
        }),
        status: (gateway, operations) => success(gateway.statuses(operations), code),
      }),
      taken: ROWS,
    },
    {
      name: `${code} without words, all taken`,
      rows: ROWS,
      conduct: () =>
        atFirst((gateway, operations) => {
          takeAll(gateway, operations);
          return wordless(code);
        }),
      taken: ROWS,
    },
    {
      // What a wordless code at the very beginning means for the others is open.
      name: `${code} without words, 20 taken`,
      rows: ROWS,
      conduct: () =>
        atFirst((gateway, operations) => {
          takeAll(gateway, operations.slice(0, 20));
          return wordless(code);
        }),
    },
    {
      name: `${code} without words, in the middle`,
      rows: ROWS,
      batchSize: 10,
      conduct: () => ({
        send(gateway, operations) {
          const isThird = gateway.sends === 3;
          if (!isThird) return success(takeAll(gateway, operations));
          takeAll(gateway, operations.slice(0, 5));
          return wordless(code);
        },
      }),
      taken: ROWS,
    },
    {
      name: `${code} with a refusal of the request`,
      rows: ROWS,
      conduct: () => ({ send: () => refusal('Insufficient funds', code) }),
      taken: 0,
    },
  ]);

/** A filter in front of the gateway that dislikes one row. */
export const filterCases = (): RefusalCase[] =>
  [403, 404].map((code) => ({
    name: `${code} for one row, by a filter`,
    rows: ROWS,
    batchSize: 10,
    conduct: () => ({
      send: (gateway, operations) =>
        operations.some(({ phone = 0 }) => phone % 100 === 15)
          ? wordless(code)
          : success(takeAll(gateway, operations)),
    }),
    taken: ROWS - 1,
  }));

type Limit = [name: string, refuses: (operations: Operation[], questions: number) => Reply | false];

const byNumber = (ids: number, reply: Reply): Limit => [
  `status takes ${ids} ids`,
  ({ length }) => length > ids && reply,
];

/** Limits of `status`, by number and by time. */
const LIMITS: readonly Limit[] = [
  byNumber(3, refusal('Not more than 3 at once')),
  byNumber(10, refusal('Zu viele')),
  byNumber(25, refusal('', 400)),
  byNumber(50, wordless(413)),
  byNumber(75, refusal('Forbidden', 403)),
  byNumber(90, refusal('Limit', 429)),
];

/** The first request breaks; what is asked then is limited. */
export const limitCases = (): RefusalCase[] =>
  [...LIMITS.entries()].map(([i, [name, refuses]]) => ({
    name: `${name}, request broken with ${i % 2 === 0 ? 40 : 100} of 100 taken`,
    rows: 100,
    conduct: () => ({
      ...atFirst((gateway, operations) => {
        takeAll(gateway, operations.slice(0, i % 2 === 0 ? 40 : 100));
        return undefined;
      }),
      status: (gateway, operations) =>
        refuses(operations, gateway.requests.length) || success(gateway.statuses(operations)),
    }),
    taken: 100,
  }));

let serial = 0;

/** Fields of a result that say nothing of its message, by what they are. */
const NOISES: Array<[name: string, fields: (place: number) => Record<string, unknown>]> = [
  ['its place', (index) => ({ index })],
  ['a trace', () => ({ trace: `t-${(serial += 7919)}-${serial % 13}` })],
  ['milliseconds', () => ({ took: (serial += 3) % 17 })],
  ['the number 0', () => ({ msg_id: '0' })],
  ['a number of its own', () => ({ msg_id: 5_000_000 + (serial += 11) })],
];

/** Ids that `status` doesn't know are a success, with such fields. */
export const noiseCases = (): RefusalCase[] =>
  NOISES.flatMap(([name, fields]) =>
    ['ERROR', 'UNKNOWN', 'НЕТ'].flatMap((state) =>
      [0, 20].map((before): RefusalCase => {
        const statuses = (gateway: HostileGateway, operations: Operation[]): Result[] =>
          operations.map(({ id }, place) => ({
            success: true,
            data: { ...fields(place), ...(gateway.log.get(id) ?? { id, status: state }) },
          }));
        return {
          name: `results with ${name}, unknown ids ${state}, request broken with ${before} taken`,
          rows: ROWS,
          conduct: () => ({
            ...atFirst((gateway, operations) => {
              takeAll(gateway, operations.slice(0, before));
              return undefined;
            }),
            status: (gateway, operations) => success(statuses(gateway, operations)),
          }),
          taken: ROWS,
        };
      }),
    ),
  );

const FAULT = 'Internal server error: MySQL has gone away';

/** Ways in which `status` is down. */
const DOWN: Array<[name: string, status: NonNullable<Conduct['status']>]> = [
  ['503', () => wordless(503)],
  ['429', () => wordless(429)],
  [
    'the same words',
    (_, operations) => success(operations.map(({ id }) => ({ success: false, error: FAULT, data: { id } }))),
  ],
  ['no answer', () => undefined],
];

/** A single row is taken and called a fault, and `status` is down. */
export const faultCases = (): RefusalCase[] =>
  DOWN.flatMap(([name, status]) =>
    [1, 5].map(
      (rows): RefusalCase => ({
        name: `${rows} rows taken one by one and called a fault, status: ${name}`,
        rows,
        batchSize: 1,
        conduct: () => ({
          send: (gateway, operations) =>
            success(
              operations.map((one) => {
                gateway.take(one);
                return { success: false, error: FAULT, data: { id: one.id } };
              }),
            ),
          status,
        }),
        isUnknowable: true,
      }),
    ),
  );

/** What the queue says and does. */
export const allRefusalCases = (): RefusalCase[] => [
  ...loggedCases(),
  ...codeCases(),
  ...filterCases(),
  ...limitCases(),
  ...noiseCases(),
  ...faultCases(),
];
