import { showHint } from '../../n8n/engine';
import type { DoneItem, ItemResult } from './item-result';
import { isFailed } from './item-result';
import type { Run } from './run';
import type { CheckedSms } from './text-tally';
import { sumOf } from './text-tally';

/**
 * Shows in the editor what the output alone doesn't make plain: that nothing was sent because the items were only
 * checked, how many had been sent before, how many items failed where the run goes on with errors, what texts of messages
 * may lack or cost, and what was checked in sum.
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
  const known = results.filter((result) => !isFailed(result) && result.jsons[0]?.duplicate === true).length;
  if (known > 0) show('info', `${known} of ${total} had been sent before`);
  const failed = results.filter(isFailed);
  if (failed.length > 0) {
    const unknown = failed.filter(({ state }) => state === 'unknown').length;
    const counts =
      definition.effect === 'sends' && !onlyChecked
        ? [
            ...becameOf(failed.length - unknown, total, ['was not accepted', 'were not accepted']),
            ...becameOf(unknown, total, [MAYBE, MAYBE]),
          ]
        : [`${failed.length} of ${total} items failed`];
    show(
      'warning',
      `${counts.join(', ')}: see "error" in ${failed.length === 1 ? 'its item' : 'their items'}`,
    );
  }
  for (const warning of texts.warnings(total)) show('warning', warning);
  if (onlyChecked) {
    const messages = checked.flatMap((result) => (result as DoneItem).jsons);
    show('info', sumOf(messages.map(({ sms }) => sms as unknown as CheckedSms | undefined)));
  }
}

const MAYBE = 'may or may not have been accepted';

/** What became of some of the messages; nothing of none. */
function becameOf(count: number, total: number, [one, several]: [one: string, several: string]): string[] {
  if (count === 0) return [];
  const which = total === 1 ? 'The message' : `${count} of ${total} messages`;
  return [`${which} ${count === 1 ? one : several}`];
}
