import { looksRounded } from '../../gateway/numbers/phone';
import { counted, joined } from '../../gateway/text/phrases';
import { quoted } from '../fields/field';
import { MESSAGE_ID_LABEL } from '../fields/target';
import { isMessage } from './description';
import { countFates, warnOfAnotherStep } from './item-errors';
import type { DoneItem, ItemResult, Hint } from './item-result';
import { isFailed, isCheckOfAll } from './item-result';
import type { Run } from './run';

/** The most sentences of the box: more of them would push the output out of sight. */
const MAX_HINTS = 4;

/**
 * Shows in the editor, in one box, what the output alone doesn't make plain: how many messages and rows came to what, then what
 * may be wrong, then what is good to know.
 */
export function showOutcome(run: Run, results: readonly ItemResult[]): void {
  const others = [...warningsOf(run, results), ...factsOf(run, results), ...run.hints];
  const weighed = (['warning', 'info'] as const).flatMap((type) =>
    others.filter((hint) => hint.type === type),
  );
  const hints = [...countsOf(run, results), ...weighed].slice(0, MAX_HINTS);
  if (hints.length === 0) return;
  run.context.addExecutionHints({
    message: hints.map(({ text }) => text.replace(/\.$/, '')).join('. '),
    type: hints.some(({ type }) => type === 'warning') ? 'warning' : 'info',
    location: 'outputPane',
  });
}

const infos = (texts: readonly string[]): Hint[] => texts.map((text) => ({ type: 'info', text }));
const warnings = (texts: readonly string[]): Hint[] => texts.map((text) => ({ type: 'warning', text }));

/** Counts what was checked and what failed. */
function countsOf(run: Run, results: readonly ItemResult[]): Hint[] {
  const { effect } = run.definition;
  const { length: total } = results;
  const { length: failed } = results.filter(isFailed);
  const where = `see "error" in ${failed === 1 ? 'its row' : 'their rows'}`;
  const checked = results.flatMap((result) => (!isFailed(result) && result.checked ? [result] : []));
  if (isCheckOfAll(results)) {
    const sum = `${sumOf(checked)}. Nothing was sent: 'Check Only' is on`;
    const wrong = `${failed} of ${total} rows ${failed === 1 ? 'is' : 'are'} invalid: ${where}`;
    return [...infos([sum]), ...warnings(failed > 0 ? [wrong] : [])];
  }
  const [were, them] = checked.length === 1 ? ['was', 'it'] : ['were', 'them'];
  const unsent = `${checked.length} of ${total} messages ${were} not sent: 'Check Only' is on for ${them}`;
  return [
    ...warnings(failed > 0 ? [`${countFates(effect, results)}: ${where}`] : []),
    ...warnings(warnOfAnotherStep(run, results)),
    ...infos(checked.length > 0 ? [unsent] : []),
  ];
}

/** Says what the texts and numbers of the rows may lack or cost. */
function warningsOf({ texts }: Run, results: readonly ItemResult[]): Hint[] {
  const fateOf = (item: number) => {
    const result = results.at(item);
    if (result === undefined) return 'unsent';
    if (isFailed(result)) return result.state === undefined ? undefined : 'unsent';
    if (!isSent(result)) return undefined;
    return result.checked ? 'unsent' : 'sent';
  };
  return warnings([...texts.warnings(results.length, fateOf), ...hintAtRounded(results)]);
}

/** Whether a row has the message of another one, of this run or before. A row that is only checked has its own columns besides. */
const isDuplicate = ({ jsons: [json], repeats, checked }: DoneItem): boolean =>
  repeats !== undefined || (!checked && json?.result === 'duplicate');

/** Whether a message is sent for a row, or would be if the row were not only checked. */
const isSent = (result: DoneItem): boolean => result.skipped === undefined && !isDuplicate(result);

const phoneOf = (result: ItemResult): unknown => (isFailed(result) ? result.json : result.jsons[0])?.phone;

function isRounded(result: ItemResult): boolean {
  const phone = phoneOf(result);
  return typeof phone === 'number' && looksRounded(phone);
}

/** Returns what to say of numbers that a spreadsheet may have shortened, if any looks so. */
function hintAtRounded(results: readonly ItemResult[]): string[] {
  const first = results.findIndex(isRounded);
  if (first === -1) return [];
  const { length: count } = results.filter(isRounded);
  const phone = String(phoneOf(results[first]));
  const which =
    results.length === 1
      ? `The number ${phone} ends`
      : `${count} of ${results.length} numbers ${count === 1 ? 'ends' : 'end'}`;
  const where = results.length === 1 ? '' : ` (first: ${phone}, row ${first + 1})`;
  return [
    `${which} in zeros${where}, as those do that a spreadsheet shortened, such as 3.80501E+11: compare with the source`,
  ];
}

/** Says which rows were left out, repeat others, or count as sent. */
function factsOf({ definition }: Run, results: readonly ItemResult[]): Hint[] {
  const { length: total } = results;
  const done = results.filter((result): result is DoneItem => !isFailed(result));
  const repeats = done.map((result) => result.repeats).filter((one) => one !== undefined);
  const { length: keys } = repeats.filter(({ by }) => by === 'key');
  return infos([
    ...repeatsOf(repeats, isMessage(definition)),
    ...skippedOf(done, total),
    ...(definition.effect === 'sends' ? sentBefore(done, total) : []),
    ...(keys > 0 ? [`${keys} of ${total} repeat the key and number of another one`] : []),
  ]);
}

/** Says of rows with the same message to the same number that it is sent once. `hasOption`: whether the form can have it otherwise. */
function repeatsOf(repeats: ReadonlyArray<NonNullable<DoneItem['repeats']>>, hasOption: boolean): string[] {
  const same = repeats.filter(({ by }) => by === 'content');
  if (same.length === 0) return [];
  const { size } = new Set(same.map(({ item }) => item));
  const rows = same.length + size;
  const what =
    size === 1
      ? `${rows} rows are the same message to the same number: it is sent once`
      : `${rows} rows hold only ${size} different messages (content and number): each is sent once`;
  return [
    hasOption
      ? `${what}. If each row should send, set 'Repeated Messages' in 'Avoid Doubles' to Send All`
      : what,
  ];
}

/** Says how many messages other executions have sent, such as the retried execution, how many the gateway had, and how many left now. */
function sentBefore(done: readonly DoneItem[], total: number): string[] {
  const known = done.filter((result) => isDuplicate(result) && !result.repeats);
  const before = done.filter((result) => result.sentBefore && !isDuplicate(result)).length;
  const now = done.filter((result) => isSent(result) && !result.checked && !result.sentBefore).length;
  const were = (count: number): string => (count === 1 ? 'was' : 'were');
  const sentNow = now === 0 ? 'nothing was sent now' : `${now} ${were(now)} sent now`;
  // The message that the gateway has may be that of a row that left now, and got no answer.
  const isTold = now > 0 || known.every((result) => result.sentBefore);
  return [
    ...(before > 0 ? [`${before} of ${total} ${were(before)} sent before, ${sentNow}`] : []),
    ...(known.length > 0
      ? [
          `${known.length} of ${total} ${known.length === 1 ? 'counts' : 'count'} as sent${isTold ? `, ${sentNow}` : ''}: ${HAS_SAME_ID}`,
        ]
      : []),
  ];
}

/** Behind the number of rows whose id the gateway had. */
const HAS_SAME_ID = `the gateway has a message with the same ID, perhaps of an earlier run and with another text. To send such a message again, change its 'Send Once Key' or ${quoted(MESSAGE_ID_LABEL)}`;

const SKIPPED: Record<string, string | undefined> = {
  stop_list: 'on the stop list',
  send_window: 'outside their send window',
};

/** Says how many rows were left out, and why. */
function skippedOf(done: readonly DoneItem[], total: number): string[] {
  const skips = done.map(({ skipped }) => skipped).filter((reason) => reason !== undefined);
  if (skips.length === 0) return [];
  const reasons = [...new Set(skips)].map((reason) => {
    const count = skips.filter((one) => one === reason).length;
    return `${count === skips.length ? '' : `${count} `}${SKIPPED[reason] ?? reason}`;
  });
  const were = skips.length === 1 ? 'was' : 'were';
  return [`${skips.length} of ${total} ${were} skipped: ${joined(reasons, 'and')}`];
}

/** The most causes of costs that a hint names. */
const MAX_CAUSES = 3;

/** Returns how many messages and SMS parts there are, and because of which characters there aren't fewer. */
function sumOf(checked: readonly DoneItem[]): string {
  const messages = checked.filter(isSent);
  const all = messages.flatMap(({ bill }) => bill ?? []);
  const sum = counted(messages.flatMap(({ jsons }) => jsons).length, 'message');
  if (all.length === 0) return sum;
  const parts = counted(
    all.reduce((total, bill) => total + bill.parts, 0),
    'SMS part',
  );
  const found = all.flatMap(({ costly }) =>
    costly.map((name) => (name === 'Cyrillic' ? 'Cyrillic letters' : name)),
  );
  if (found.length === 0) return `${sum}, ${parts}`;
  return `${sum}, ${parts}, some because of ${causesOf(found)}`;
}

/** The causes of costs, the most frequent first. */
function causesOf(found: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const cause of found) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const causes = [...counts].sort(([, a], [, b]) => b - a).map(([cause]) => cause);
  return joined(causes.length > MAX_CAUSES ? [...causes.slice(0, MAX_CAUSES), 'others'] : causes, 'and');
}
