import { sendOnceId } from '../../gateway/keys/send-once-id';
import { leftoverIn } from '../../gateway/text/characters';
import { InvalidParameter, quoted } from '../fields/field';
import { property } from '../fields/property';
import { MESSAGE_ID_LABEL } from '../fields/target';
import { asText } from '../fields/values';
import type { Flaw } from '../parameters/placeholder';
import type { RowChange } from '../run/row';

export const SEND_ONCE_KEY = property(
  'Send Once Key',
  'sendOnceKey',
  'Text that stands for this message. A message that the gateway has with this key and number is not sent again, whichever workflow sent it.',
  {
    placeholder: 'e.g. {{ $json.order_id }}-shipped',
    builderHint: {
      propertyHint:
        'Set it from data that names the event, such as an order ID, never from a time or a random value.',
    },
  },
);

const KEY_LABEL = SEND_ONCE_KEY.displayName;
const KEY_ACCEPTED = 'text that stands for this message, with a value in each placeholder';

/**
 * Gives a message the `id` of its key, where its item has one.
 * @throws InvalidParameter for an empty key, and for one beside an `id` that the user chose
 */
export const applySendOnceKey: RowChange = (row, item): undefined => {
  if (!(SEND_ONCE_KEY.name in item.options)) return;
  const key = asText(item.options[SEND_ONCE_KEY.name], KEY_LABEL);
  if (key === undefined) throw new InvalidParameter(quoted(KEY_LABEL), KEY_ACCEPTED, '');
  const why = whyNotKey(key, item.flaws);
  if (why !== undefined) throw new InvalidParameter(quoted(KEY_LABEL), KEY_ACCEPTED, key, why);
  if (item.hasOwnId)
    throw new InvalidParameter(
      quoted(KEY_LABEL),
      `empty while ${quoted(MESSAGE_ID_LABEL)} is filled in`,
      undefined,
      {
        reason: `is set beside ${quoted(MESSAGE_ID_LABEL)}`,
        advice: 'Remove one of them: the node makes the ID out of the key,',
      },
    );
  const { operation } = row;
  // A message that has left keeps its id, whatever its key is by now.
  if (row.state.is === 'ready') operation.id = sendOnceId(key, operation.phone as number);
  row.hasKey = true;
};

/** Returns, as a verb phrase, why many messages may have a key by mistake; undefined for one that stands for its message. */
function whyNotKey(key: string, flaws: readonly Flaw[]): string | undefined {
  const found = flaws.filter(({ parameter }) => parameter.endsWith(`.${SEND_ONCE_KEY.name}`));
  const empty = found.find(({ is }) => is === 'empty');
  if (empty) return `has an empty ${empty.source}`;
  const leftover = found.find(({ is }) => is === 'leftover')?.leftover ?? leftoverIn(key);
  const own = found.find(({ is }) => is === 'ownWords');
  if (leftover === undefined && own)
    return `has no value from its row: ${own.source} gave only words that stand in it`;
  return leftover === undefined ? undefined : `contains "${leftover}"`;
}
