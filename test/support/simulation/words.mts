/** What the model gateway says. Its words are its own: no list is shared with the node, and none is meant to be matched. */
import type { Random } from './random.mts';

/** What the contract lists as refusing everything (gateway-api.md, "API key"). */
export const ACCESS_DENIED = 'Access denied';

/** Faults that anybody who reads English recognizes, however long they last. */
export const PLAIN_FAULTS = [
  'Internal server error',
  'Internal server error: MySQL has gone away',
  'Database error',
  'Service temporarily unavailable',
  'Too many requests',
  'Please try again later',
  'Request timed out',
] as const;

/** Whether words plainly ask to come again later. */
export const asksToWait = (words = ''): boolean =>
  ['Service temporarily unavailable', 'Too many requests', 'Please try again later'].includes(words);

const FAULTS = [
  ...PLAIN_FAULTS,
  'MySQL server has gone away',
  "Access denied for user 'gate'@'10.0.0.7' (using password: YES)",
  'PDOException: SQLSTATE[40001]: Serialization failure',
  'Deadlock found when trying to get lock; try restarting transaction',
  'Lost connection to upstream',
  'Error',
  'E_FAIL 0x80004005',
  'Внутренняя ошибка',
  'Помилка сервера',
  'Fehler 17',
  'Erreur interne du serveur',
  'Error interno, intente más tarde',
  'Błąd systemu',
  'Sistem hatası',
  '系统错误',
  'サーバーエラー',
  'خطأ في النظام',
  'שגיאה פנימית',
] as const;

/** Whether words are those of a fault, in whatever language, or none at all; a number may follow them. */
export const isFaultWords = (words: string): boolean =>
  !/\p{L}/u.test(words) ||
  (!LISTED_REFUSALS.includes(words) &&
    (FAULTS as readonly string[]).some((fault) => words.startsWith(fault)));

const REFUSALS = [
  'Insufficient funds',
  'Недостаточно средств',
  'Bakiye yetersiz',
  'Operator not supported',
  'Error in Alpha-name',
  'Invalid message type',
  'Too many operations in one request',
  'Zu viele Nachrichten',
  'Limit exceeded',
  'Duplicate id',
  'Message not found',
  'Not sent',
  'The moon is in the wrong house',
  'false',
  '0',
  '',
  ' ',
] as const;

/** What a gateway may say that refuses a request, in many languages; also for nothing in particular, and without words. */
export const WORDINGS: readonly string[] = [...FAULTS, ...REFUSALS];

/** Refusals of one message that the contract lists (gateway-api.md, "Refusals"): a gateway that says so took nothing. */
export const LISTED_REFUSALS: readonly string[] = [
  'Operator not supported',
  'Error in Alpha-name',
  'Invalid message type',
];

/** Words about one message, whatever else they may sound like. */
const ABOUT_A_MESSAGE = [
  'Error in Alpha-name',
  'Viber image is too large',
  'Недопустимое имя отправителя',
  'Absender nicht freigegeben',
  '发送方无效',
  'Wrong sender',
] as const;

/** Words about a request that holds too much. */
const ABOUT_A_SIZE = [
  'Too many operations in one request',
  'Zu viele Nachrichten',
  'Batch limit',
  'Слишком много',
] as const;

/** Words for an id that was sent before. */
const ABOUT_A_DUPLICATE = [
  'Duplicate id',
  'id is not unique',
  'Повторный идентификатор',
  'Nachricht bereits vorhanden',
  'E1062',
] as const;

/** Whether words say in plain English that an id was sent before. */
export const namesDuplicate = (words = ''): boolean =>
  words.startsWith('Duplicate id') || words.startsWith('id is not unique');

/** Words for an id that was never sent. */
const ABOUT_NOTHING = [
  'Message not found',
  'Not found',
  'No such message',
  'Сообщение не найдено',
  'Nachricht unbekannt',
  'Mesaj bulunamadı',
  '没有这条消息',
  'id {id}: nothing',
  'Wrong id',
] as const;

const SYLLABLES = ['ba', 'dor', 'ki', 'lum', 'ne', 'pra', 'so', 'tuv', 'xe', 'zil'];

/** Words of no language, which nobody can have listed. */
export function gibberish(random: Random): string {
  const word = (): string =>
    Array.from({ length: random.between(2, 4) }, () => random.pick(SYLLABLES)).join('');
  return Array.from({ length: random.between(1, 4) }, word).join(' ');
}

/** Any words at all, for an answer that says nothing true. */
export function anyWords(random: Random): string {
  const words = random.weighted<() => string>([
    [5, () => random.pick(FAULTS)],
    [4, () => random.pick(REFUSALS)],
    [2, () => gibberish(random)],
  ])();
  return random.chance(0.1) ? `${words} (${random.between(1, 99_999)})` : words;
}

export const faultWords = (random: Random): string =>
  random.chance(0.3) ? gibberish(random) : random.pick(FAULTS);

const oneOf =
  (list: readonly string[]) =>
  (random: Random): string =>
    random.chance(0.25) ? gibberish(random) : random.pick(list);

export const refusalOfMessage = oneOf(ABOUT_A_MESSAGE);
export const refusalOfSize = oneOf(ABOUT_A_SIZE);
export const refusalOfDuplicate = oneOf(ABOUT_A_DUPLICATE);
export const absence = oneOf(ABOUT_NOTHING);

/** States of a message that was taken: the contract lists none, and gateways of this kind have these in common. */
export const COMMON_STATES: readonly string[] = [
  'ACCEPTED',
  'QUEUED',
  'ROUTING',
  'DELIVERED',
  'READ',
  'Delivered',
  'PARTIALLY_DELIVERED',
];
/** The same in the words of one gateway, which nobody knows. */
export const OWN_STATES: readonly string[] = ['IN WORK', 'Доставлено', 'zugestellt', 'S5', '已送达'];
/** States of a message that was taken and didn't arrive. */
export const FAILED_STATES: readonly string[] = [
  'UNDELIVERABLE',
  'EXPIRED',
  'NO ROUTE',
  'SIM FULL',
  'DELETED',
];

/** The state of a message that was refused (gateway-api.md, "Statuses"). */
export const REJECTED = 'REJECTED';
/** What gateways write down of messages that they refuse, beside what the contract lists. */
export const REFUSED_STATES: ReadonlyArray<string | number> = [
  'ERROR',
  'CANCELLED',
  'BLOCKED',
  'STOPLIST',
  'INSUFFICIENT FUNDS',
  'NOT SENT',
  'NOT ENOUGH MONEY',
  'FILTERED',
  'INVALID DESTINATION ADDRESS',
  'UNKNOWN',
  'Отклонено',
  'Недостатньо коштів',
  'abgelehnt',
  '余额不足',
  16,
  -1,
];

/** Why an account pays nothing more. */
export const ABOUT_MONEY = [
  'Insufficient funds',
  'Not enough money',
  'Недостаточно средств',
  'Guthaben aufgebraucht',
  '余额不足',
] as const;
