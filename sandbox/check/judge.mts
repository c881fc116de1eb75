/**
 * Reads answers of a gateway as gateway-api.md describes them, and says where they differ. Pure: it is given what came, and
 * returns rows for a person.
 */
import { isObject } from '../checks.mts';
import { ERRORS } from '../error-texts.mts';
import type { JsonObject } from '../types.mts';
import type { Asked, Reply } from './ask.mts';
import { described, quoted } from './words.mts';

/**
 * `ok`: as the contract says. `open`: the contract leaves it open, or it is usable in another way than most gateways'.
 * `differs`: not as the contract says. `skipped`: could not be looked at.
 */
export type Mark = 'ok' | 'open' | 'differs' | 'skipped';

/** One thing that was looked at. */
export interface Row {
  mark: Mark;
  about: string;
  /** A sentence without a full stop. */
  said: string;
}

/** The operations that are asked for: they read, cost nothing, and reach nobody. */
export const READING = ['balance', 'sender', 'template/list', 'template/viber/list', 'status'] as const;
export type Reading = (typeof READING)[number];

const ABOUT: Record<Reading, string> = {
  balance: 'Balance',
  sender: 'Senders',
  'template/list': 'SMS templates',
  'template/viber/list': 'Viber templates',
  status: 'Status',
};

const row = (mark: Mark, about: string, said: string): Row => ({ mark, about, said });

/** What is wrong with `success`, which both the envelope and each item of it have ("Response envelope", "Result item"). */
function successProblem({ success }: JsonObject): string | undefined {
  if (typeof success === 'boolean') return undefined;
  return `"success" is ${described(success)}, where the contract has true or false`;
}

/** What is wrong with an envelope that was refused ("Errors", 2). */
function refusalProblem({ error, data }: JsonObject): string | undefined {
  if (typeof error !== 'string') return `"error" is ${described(error)}, where the contract has a text`;
  return data === undefined
    ? undefined
    : `a refusal has "data", ${described(data)}, where the contract has none`;
}

function httpRow({ httpStatus }: Reply, about: string): Row[] {
  if (httpStatus === 200) return [];
  const said = `HTTP status ${httpStatus}, where the contract has 200 in all cases, and the reason in the body`;
  return [row('open', about, said)];
}

/** Judges the answer to a request with a made-up key, which has to be refused ("Authentication", 3). */
export function judgeStranger(asked: Asked): Row[] {
  if (!asked.reply) return [row(asked.isSilent ? 'skipped' : 'differs', 'Address', asked.problem)];
  const { body } = asked.reply;
  const wrong = successProblem(body);
  if (wrong) return [row('differs', 'Address', `it answers with JSON of another shape: ${wrong}`)];
  const found = [
    row('ok', 'Address', 'answers with JSON that has "success"'),
    ...httpRow(asked.reply, 'HTTP'),
  ];
  if (body.success === true) {
    found.push(row('differs', 'Made-up key', 'is let in: "success" is true, so the key is not looked at'));
    const { problem } = itemsOf(body, 1);
    return problem ? [...found, row('differs', 'Results', problem)] : found;
  }
  const problem = refusalProblem(body);
  if (problem) return [...found, row('differs', 'Made-up key', `is refused, but ${problem}`)];
  if (body.error === ERRORS.accessDenied)
    return [...found, row('ok', 'Made-up key', 'is refused: "Access denied"')];
  const said = `is refused in other words, ${quoted(body.error as string)}, where the contract has "Access denied"`;
  return [...found, row('open', 'Made-up key', said)];
}

/** Judges whether the key of the person who asks is let in. */
export function judgeKey(asked: Asked): Row {
  if (!asked.reply) return row('differs', 'Your key', asked.problem);
  const { body } = asked.reply;
  const wrong = successProblem(body);
  if (wrong) return row('differs', 'Your key', wrong);
  if (body.success === true) return row('ok', 'Your key', 'is let in');
  const problem = refusalProblem(body);
  if (problem) return row('differs', 'Your key', `is refused, but ${problem}`);
  const why =
    'the key is wrong, the API is switched off in the account, or this machine is not on its list of addresses';
  return row('skipped', 'Your key', `is refused, ${quoted(body.error as string)}: ${why}`);
}

/** The results in an envelope that was accepted, one for each operation ("Response envelope"). */
export function itemsOf(body: JsonObject, wanted: number): { items: JsonObject[]; problem?: string } {
  const { data } = body;
  if (!Array.isArray(data)) {
    return { items: [], problem: `"data" is ${described(data)}, where the contract has a list of results` };
  }
  if (data.length !== wanted) {
    return {
      items: [],
      problem: `${wanted} operations were asked for, and "data" has ${data.length} results`,
    };
  }
  const at = data.findIndex((item) => !isObject(item));
  if (at < 0) return { items: data as JsonObject[] };
  return {
    items: [],
    problem: `result ${at + 1} in "data" is ${described(data[at])}, where the contract has an object`,
  };
}

/** Judges the result of one reading operation ("Result item"). @param id of the status that was asked for */
export function judgeItem(type: Reading, item: JsonObject, id: number): Row {
  const about = ABOUT[type];
  const wrong = successProblem(item);
  if (wrong) return row('differs', about, wrong);
  if (item.success === false) return judgeRefusedItem(type, item, id);
  if (type === 'balance') return judgeBalance(item.data);
  if (type === 'status') return judgeKnown(item.data, id);
  if (item.data === undefined || item.data === null) {
    return row('open', about, `"data" is ${described(item.data)}, where a payload is expected`);
  }
  if (isObject(item.data)) return row('ok', about, `come as ${described(item.data)}`);
  if (Array.isArray(item.data)) {
    return row('open', about, `come as ${described(item.data)}, where the contract has an object`);
  }
  return row('differs', about, `"data" is ${described(item.data)}, where the contract has an object`);
}

/** A refused item has `error` and a `data` that holds at least `id` ("Errors", 3). */
function judgeRefusedItem(type: Reading, { error, data }: JsonObject, id: number): Row {
  const about = ABOUT[type];
  if (typeof error !== 'string') {
    return row(
      'differs',
      about,
      `is refused, but "error" is ${described(error)}, where the contract has a text`,
    );
  }
  if (type !== 'status') return row('open', about, `not for this account: ${quoted(error)}`);
  const given = isObject(data) ? data.id : undefined;
  if (String(given) !== String(id)) {
    const said = `the id that was asked for should be in "data", where "id" is ${described(given)}`;
    return row('differs', about, `an unknown message is refused, ${quoted(error)}, but ${said}`);
  }
  return row('ok', about, `an unknown message is refused: ${quoted(error)}`);
}

/** The JSON API's field is open; that of the connector is `amount`, a number ("Assistant connector"). */
function judgeBalance(data: unknown): Row {
  if (!isObject(data)) {
    return row('differs', ABOUT.balance, `"data" is ${described(data)}, where the contract has an object`);
  }
  const { amount, currency } = data;
  if (typeof amount === 'number') {
    const unit = typeof currency === 'string' ? ` ${quoted(currency).slice(1, -1)}` : '';
    return row('ok', ABOUT.balance, `${amount}${unit}`);
  }
  if (typeof amount === 'string') {
    return row('differs', ABOUT.balance, `"amount" is ${described(amount)}, where the contract has a number`);
  }
  return row('open', ABOUT.balance, `comes as ${described(data)}, without the usual "amount"`);
}

/** What a gateway says of a message that doesn't exist, where it doesn't refuse: the contract leaves that open. */
function judgeKnown(data: unknown, id: number): Row {
  if (!isObject(data)) {
    return row('differs', ABOUT.status, `"data" is ${described(data)}, where the contract has an object`);
  }
  const own = data.id === undefined || String(data.id) === String(id);
  if (!own)
    return row('differs', ABOUT.status, `message ${id} was asked for, and "id" is ${described(data.id)}`);
  const said = `an unknown message is no refusal, but comes as ${described(data)}`;
  return row('open', ABOUT.status, said);
}

/** Judges the answer of the asynchronous endpoint ("Asynchronous response"). */
export function judgeQueue(asked: Asked): Row {
  const about = 'Async URL';
  if (!asked.reply) return row('differs', about, asked.problem);
  const { body } = asked.reply;
  const wrong = successProblem(body);
  if (wrong) return row('differs', about, wrong);
  if (body.success === false)
    return row('differs', about, `refuses a request to read the balance: ${described(body.error)}`);
  if (typeof body.request_id !== 'string') {
    return row(
      'differs',
      about,
      `"request_id" is ${described(body.request_id)}, where the contract has a text`,
    );
  }
  return row('ok', about, 'takes requests and gives each a "request_id"');
}

/** Judges `/health` of the assistant connector ("Endpoints"). */
export function judgeHealth(asked: Asked): Row {
  const about = 'Connector health';
  if (!asked.reply) return row('differs', about, asked.problem);
  const { ok, domain, send_enabled: sends } = asked.reply.body;
  if (typeof ok !== 'boolean')
    return row('differs', about, `"ok" is ${described(ok)}, where the contract has true or false`);
  if (typeof domain !== 'string')
    return row('differs', about, `"domain" is ${described(domain)}, where the contract has a text`);
  if (typeof sends !== 'boolean') {
    return row(
      'differs',
      about,
      `"send_enabled" is ${described(sends)}, where the contract has true or false`,
    );
  }
  return row('ok', about, `${quoted(domain).slice(1, -1)}, sending is ${sends ? 'on' : 'off'}`);
}

/** Judges the connector's answer to a plain call of the tool `balance` ("Assistant connector"). */
export function judgeTool(asked: Asked): Row {
  const about = 'Connector tool';
  if (!asked.reply) return row('differs', about, asked.problem);
  const { result, error } = asked.reply.body;
  if (isObject(error)) return row('differs', about, `"balance" is refused: ${described(error.message)}`);
  const content = isObject(result) && Array.isArray(result.content) ? (result.content as unknown[]) : [];
  const text = content.find((one) => isObject(one) && one.type === 'text');
  const value = isObject(text) ? parsed(text.text) : undefined;
  if (!isObject(value)) return row('differs', about, 'the result of "balance" has no text that holds JSON');
  if (typeof value.amount === 'number') return row('ok', about, '"balance" answers');
  return row(
    'differs',
    about,
    `"amount" of "balance" is ${described(value.amount)}, where the contract has a number`,
  );
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    // Said by the row: it holds no JSON.
    return undefined;
  }
}
