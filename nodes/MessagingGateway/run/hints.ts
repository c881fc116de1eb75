import { showHint } from '../../n8n/engine';
import type { ItemResult } from './item-result';
import { isFailed } from './item-result';
import type { Run } from './run';

/**
 * Shows in the editor what the output alone doesn't make plain: that nothing was sent because the items were only
 * checked, how many had been sent before, and how many items failed where the run goes on with errors.
 */
export function showOutcome({ context, definition }: Run, results: readonly ItemResult[]): void {
  const total = results.length;
  const checked = results.filter((result) => !isFailed(result) && result.checked).length;
  const onlyChecked =
    checked > 0 && results.every((result) => (isFailed(result) ? !result.state : result.checked));
  if (checked > 0) {
    const message = onlyChecked
      ? "Nothing was sent: 'Check Only' is on"
      : `${checked} of ${total} messages ${checked === 1 ? 'was' : 'were'} not sent: 'Check Only' is on for ${checked === 1 ? 'it' : 'them'}`;
    showHint(context, { message, type: 'info', location: 'outputPane' });
  }
  const known = results.filter((result) => !isFailed(result) && result.jsons[0]?.duplicate === true).length;
  if (known > 0) {
    const message = `${known} of ${total} had been sent before`;
    showHint(context, { message, type: 'info', location: 'outputPane' });
  }
  const failed = results.filter(isFailed);
  if (failed.length === 0) return;
  const unknown = failed.filter(({ state }) => state === 'unknown').length;
  const counts =
    definition.effect === 'sends' && !onlyChecked
      ? [
          ...becameOf(failed.length - unknown, total, ['was not accepted', 'were not accepted']),
          ...becameOf(unknown, total, [MAYBE, MAYBE]),
        ]
      : [`${failed.length} of ${total} items failed`];
  const message = `${counts.join(', ')}: see "error" in ${failed.length === 1 ? 'its item' : 'their items'}`;
  showHint(context, { message, type: 'warning', location: 'outputPane' });
}

const MAYBE = 'may or may not have been accepted';

/** What became of some of the messages; nothing of none. */
function becameOf(count: number, total: number, [one, several]: [one: string, several: string]): string[] {
  if (count === 0) return [];
  const which = total === 1 ? 'The message' : `${count} of ${total} messages`;
  return [`${which} ${count === 1 ? one : several}`];
}
