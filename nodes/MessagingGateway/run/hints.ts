import { counted, joined } from '../../gateway/text/phrases';
import { showHint } from '../../n8n/engine';
import { quoted } from '../fields/field';
import { MESSAGE_ID_LABEL } from '../fields/target';
import { isMessage } from './description';
import type { BeforeRun, DoneItem, FailedItem, FailedState, ItemResult } from './item-result';
import { isFailed } from './item-result';
import { hintAtRounded } from './rounded-numbers';
import type { Run } from './run';

/**
 * Shows in the editor what the output alone doesn't make plain: what was only checked or had been sent before, how many
 * items failed where the run goes on with errors, what texts may lack or cost, and what was checked in sum.
 */
export function showOutcome({ context, definition, texts }: Run, results: readonly ItemResult[]): void {
  const show = (type: 'info' | 'warning', message: string) =>
    showHint(context, { message, type, location: 'outputPane' });
  const total = results.length;
  const checked = results.filter((result) => !isFailed(result) && result.checked);
  const onlyChecked =
    checked.length > 0 && results.every((result) => (isFailed(result) ? !result.state : result.checked));
  if (onlyChecked) show('info', "Nothing was sent: 'Check Only' is on");
  else if (checked.length > 0) {
    const [were, them] = checked.length === 1 ? ['was', 'it'] : ['were', 'them'];
    show('info', `${checked.length} of ${total} messages ${were} not sent: 'Check Only' is on for ${them}`);
  }
  const isSkipped = (result: ItemResult) => !isFailed(result) && result.skipped !== undefined;
  const skips = results.filter(isSkipped).map((result) => (result as DoneItem).skipped as string);
  if (skips.length > 0) show('info', skippedOf(skips, total));
  const duplicates = results.filter((result) => !isFailed(result) && result.jsons[0]?.duplicate === true);
  for (const [before, said] of SAID_BEFORE) {
    const count = results.filter((result) => result.before === before).length;
    if (count > 0) show('info', `${count} of ${total} ${said}`);
  }
  const keys = duplicates.filter((result) => (result as DoneItem).repeats?.by === 'key').length;
  if (keys > 0) show('info', `${keys} of ${total} repeat the key and number of another one`);
  const firsts = results.flatMap((result) =>
    !isFailed(result) && result.repeats?.by === 'content' ? result.repeats.item : [],
  );
  // A one-time password for Telegram is a message too, and its form lacks the option.
  if (firsts.length > 0) show('info', repeatedOf(firsts, isMessage(definition)));
  const failed = results.filter(isFailed);
  if (failed.length > 0) {
    const ofMessages = definition.effect === 'sends' && !onlyChecked;
    const counts = ofMessages ? fatesOf(failed, total) : [`${failed.length} of ${total} items failed`];
    show(
      'warning',
      `${counts.join(', ')}: see "error" in ${failed.length === 1 ? 'its item' : 'their items'}`,
    );
  }
  for (const hint of definition.hints?.(results) ?? []) show('info', hint);
  const leaves = (item: number) => {
    const result = results.at(item);
    return (
      result === undefined || isFailed(result) || !(result.skipped || result.jsons[0]?.duplicate === true)
    );
  };
  for (const warning of texts.warnings(total, leaves)) show('warning', warning);
  const rounded = hintAtRounded(results);
  if (rounded !== undefined) show('warning', rounded);
  if (onlyChecked) {
    const messages = checked
      .flatMap((result) => (result as DoneItem).jsons)
      .filter(({ duplicate, skipped }) => duplicate !== true && skipped !== true);
    show('info', sumOf(messages as unknown as CheckedMessage[]));
  }
}

/** What is said of rows by what became of their messages before. */
const SAID_BEFORE: ReadonlyArray<readonly [BeforeRun, string]> = [
  ['sent', 'had been sent before'],
  [
    'perhaps',
    `may have been sent by an earlier run, perhaps with another text: the gateway has a message with the same ${quoted(MESSAGE_ID_LABEL)}. To send one again, give it another ID`,
  ],
];

/** Counts the messages that failed: what the node did not send, what the gateway refused, and what nobody knows. */
function fatesOf(failed: readonly FailedItem[], total: number): string[] {
  const count = (...states: Array<FailedState | undefined>) =>
    failed.filter(({ state }) => states.includes(state)).length;
  const counts: Array<[count: number, fate: string]> = [
    [count(undefined, 'notSent'), 'not sent'],
    [count('refused'), 'not accepted'],
  ];
  const some = (number: number) => (total === 1 ? 'The message' : `${number} of ${total} messages`);
  const certain = counts
    .filter(([number]) => number > 0)
    .map(([number, fate]) => `${some(number)} ${number === 1 ? 'was' : 'were'} ${fate}`);
  const unknown = count('unknown');
  return unknown === 0 ? certain : [...certain, `${some(unknown)} may or may not have been accepted`];
}

/** Says which rows are one message. Takes the item whose result it takes for each row that repeats another. */
function repeatedOf(firsts: readonly number[], hasOption: boolean): string {
  const { size } = new Set(firsts);
  const rows = firsts.length + size;
  const said =
    size === 1
      ? `${rows} rows are the same message to the same number: it is sent once`
      : `${rows} rows come to ${size} messages, since others are the same, to the same number: each is sent once`;
  return hasOption ? `${said}. If each row should send, set 'Repeated Messages' to Send All` : said;
}

const SKIPPED: Record<string, string | undefined> = {
  stop_list: 'on the stop list',
  send_window: 'outside their send window',
};

/** Says how many rows were left out, and why. */
function skippedOf(skips: readonly string[], total: number): string {
  const reasons = [...new Set(skips)].map((reason) => {
    const count = skips.filter((one) => one === reason).length;
    return `${count === skips.length ? '' : `${count} `}${SKIPPED[reason] ?? reason}`;
  });
  return `${skips.length} of ${total} ${skips.length === 1 ? 'was' : 'were'} skipped: ${joined(reasons, 'and')}`;
}

/** The most causes of costs that a hint names. */
const MOST_CAUSES = 3;

/** What Check Only says of a message; `costly` are the characters because of which its SMS is more parts. */
interface CheckedMessage {
  sms?: { segments: number; costly?: string[] };
}

/** Returns how many messages and SMS parts there are, and because of which characters there aren't fewer. */
function sumOf(messages: readonly CheckedMessage[]): string {
  const all = messages.flatMap(({ sms }) => sms ?? []);
  const sum = counted(messages.length, 'message');
  if (all.length === 0) return sum;
  const parts = counted(
    all.reduce((total, { segments }) => total + segments, 0),
    'SMS part',
  );
  const costly = all.filter((one) => one.costly !== undefined);
  if (costly.length === 0) return `${sum}, ${parts}`;
  const found = costly.flatMap((one) => [...new Set(one.costly?.map(nameOfCharacter))]);
  const because = `because of ${causesOf(found)}`;
  if (messages.length === 1) return `${sum}, ${parts} ${because}`;
  const [{ segments }] = costly;
  const isSame = costly.every((one) => one.segments === segments);
  const each = isSame ? `${IN_WORDS[segments] ?? segments} parts` : 'more parts';
  return `${sum}, ${parts}, ${costly.length} of them ${each} ${because}`;
}

const IN_WORDS: Record<number, string | undefined> = { 2: 'two', 3: 'three', 4: 'four' };

/** The causes of costs, the most frequent first. */
function causesOf(found: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const cause of found) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const causes = [...counts].sort(([, a], [, b]) => b - a).map(([cause]) => cause);
  return joined(causes.length > MOST_CAUSES ? [...causes.slice(0, MOST_CAUSES), 'others'] : causes, 'and');
}

function nameOfCharacter(character: string): string {
  if (/\p{Script=Cyrillic}/u.test(character)) return 'Cyrillic letters';
  // What can't be seen alone.
  if (!/[\p{C}\p{M}\p{Z}]/u.test(character)) return character;
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
