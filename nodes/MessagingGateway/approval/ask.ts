import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isAgentTool } from '../../n8n/engine';
import { addressSecrets, unreachableReason } from '../../gateway/callback/address';
import type { WireOperation } from '../../gateway/contract/operations';
import type { Holder } from '../../gateway/keys/question';
import { deriveQuestionKey, questionSecret, SECRET_IN_LINK } from '../../gateway/keys/question';
import { sendOnceId } from '../../gateway/keys/send-once-id';
import { baseAddress, requireKeys } from '../../n8n/connection';
import { buildByChannels } from '../message-parts/by-channels';
import { Item } from '../run/item';
import type { DoneItem, FailedItem, ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import { compareRows, prepareRow } from '../run/row';
import type { RowChange } from '../run/row';
import type { Run } from '../run/run';
import { sendOutput } from '../sending/output';
import { sendRows } from '../sending/send-rows';
import { decisionsOf } from '../sending/steps';
import { keyOfNextSleep, signedAddress, sleepUntil } from '../suspend/sleep';
import { watchMessages } from './arrival';
import { CUT_HINT, messageText, withLink, withoutLink } from './message-text';
import type { ApprovalNote } from './output';
import { unansweredItem } from './output';
import type { ApprovalPlan } from './plan';
import { readPlan } from './plan';

/**
 * Asks the people whom the items name, and puts the execution to sleep until a person answers. The answer belongs to
 * all items of the run.
 * @returns one result for each input item: the output that n8n shows while the execution sleeps, the preview of Check Only,
 *   or why nobody could be asked
 * @throws NodeOperationError for invalid parameters, without a usable API key, and in an agent's tool
 */
export async function askAndWait(run: Run): Promise<ItemResult[]> {
  const { context, items } = run;
  if (isAgentTool(context)) {
    throw new NodeOperationError(run.node, "A tool of an agent can't wait for a person", {
      description:
        "Do not try again. Tell the user to put this node between the agent and its tools as a human review (from the list Human review of the agent's tools).",
    });
  }
  const plan = readPlan(run);
  const { phones, type, question, words, limitAt, isReview, asked: call, checkOnly } = plan;
  if (!checkOnly) refuseAskedBefore(run, phones.length);
  const asked = keyOfNextSleep(context, run.journal.runIndex);
  const connection = await run.connection();
  const key = requireKeys(run.node, connection, deriveQuestionKey, 'Nobody was asked');
  const linkOf = linkMaker(context, key, asked);
  const results = await sendMessages(run, plan, { linkOf, asked });
  const failed = results.filter(isFailed);
  // A message that may have been sent comes first, since it may cost money.
  const failure = failed.find(({ state }) => state === 'unknown') ?? failed.at(0);
  if (failure !== undefined && (checkOnly || failed.length === phones.length))
    return items.map((_, index) => (index === 0 ? failure : { error: failure.error }));
  const messages = results.map(
    (result, i): IDataObject =>
      isFailed(result)
        ? { result: result.state, phone: phones[i], ...result.json, error: result.error.message }
        : result.jsons[0],
  );
  // The preview is that of the first item, which sends for all.
  if (checkOnly)
    return items.map((_, index) =>
      index === 0 ? { jsons: messages, checked: true, ...billOf(results) } : { jsons: [], checked: true },
    );
  const missed = results.flatMap((result, i) =>
    isFailed(result)
      ? `${phones[i]} ${wasNotAsked(result) ? 'was not' : 'may not have been'} asked: ${result.error.message}`
      : [],
  );
  if (missed.length > 0) run.hints.push({ type: 'warning', text: missed.join('. ') });

  const note = {
    key: asked,
    question,
    // Without those who were not asked: their rows may have no id, by which a callback about another message would find them.
    recipients: phones.flatMap((phone, i) =>
      wasNotAsked(results[i]) ? [] : recipientOf(phone, messages[i]),
    ),
    type,
    limitAt,
    ...(words !== undefined && { words }),
    ...(call !== undefined && { asked: call }),
  } satisfies ApprovalNote;
  const unanswered = items.map((item, index) => unansweredItem(item, index, messages, isReview));
  // n8n itself goes on at the limit.
  await sleepUntil(context, limitAt, unanswered, note as IDataObject & typeof note);
  await watchMessages(context, note, linkOf('gateway').address);
  return items.map(() => ({ jsons: [{ messages }] }));
}

/**
 * Returns the function that makes a holder's link of a question, with the parts of the link that only the holder may see. The secret
 * says who calls, which n8n's signature of the address doesn't.
 */
export const linkMaker =
  (context: IExecuteFunctions, key: Buffer, question: string) =>
  (holder: Holder): { address: string; secrets: string[] } => {
    const secret = questionSecret(key, question, holder, 'open');
    const address = signedAddress(context, { [SECRET_IN_LINK]: secret });
    return { address, secrets: [secret, ...addressSecrets(address)] };
  };

/**
 * Refuses a Retry of an execution that asked, or may have asked: the link of its message led to that execution.
 * @throws NodeOperationError
 */
function refuseAskedBefore({ node, journal }: Run, people: number): void {
  const entries = Array.from({ length: people }, (_, index) => journal.find(index));
  const mayBeAsked = entries.some((entry) => entry?.jsons !== undefined || entry?.state?.is === 'unknown');
  if (!journal.past.isRetry || !mayBeAsked) return;
  throw new NodeOperationError(node, "A Retry can't take the answer to a question that was asked before", {
    description:
      'Somebody was asked, or may have been, and the link of that question is closed. Nothing was sent in this try. Run the workflow anew to ask again.',
  });
}

/** Returns the bill of the messages to all people, where they are SMS. */
function billOf(results: readonly ItemResult[]): Pick<DoneItem, 'bill'> {
  const bills = results.flatMap((result) => (isFailed(result) ? [] : (result.bill ?? [])));
  if (bills.length === 0) return {};
  const parts = bills.reduce((sum, bill) => sum + bill.parts, 0);
  return { bill: { parts, costly: bills.flatMap(({ costly }) => costly) } };
}

const wasNotAsked = (result: ItemResult): boolean => isFailed(result) && result.state !== 'unknown';

/** The person of a message that was sent, or may have been. */
const recipientOf = (phone: number, message: IDataObject): ApprovalNote['recipients'][number] => {
  const { id, msg_id } = message as { id: number | string; msg_id?: number | string };
  return { phone, id, ...(msg_id !== undefined && { msg_id }) };
};

/** The message of a question has an id that no earlier run used, also in a Retry, so that none can have sent it. */
const withFreshId: RowChange = (row): undefined => {
  row.mayHaveBeenSent = false;
};

/**
 * Sends a message to each person, each with its own id. Returns the results, in order. Warns of a text that was cut, and of an n8n that
 * no phone can reach.
 */
async function sendMessages(
  run: Run,
  plan: ApprovalPlan,
  { linkOf, asked }: { linkOf: ReturnType<typeof linkMaker>; asked: string },
): Promise<ItemResult[]> {
  const { phones, type, channels, button, optional, isReported } = plan;
  const connection = await run.connection();
  const links = phones.map(linkOf);
  const hook = isReported ? linkOf('gateway') : undefined;
  // The link of one person stands for all links of the question, which have the same length and lead to the same n8n.
  const [{ address: link }] = links;
  const text = messageText(plan, link);
  if (text !== plan.text) run.hints.push({ type: 'warning', text: CUT_HINT });
  const obstacle = unreachableReason(link, { name: 'link', gateway: baseAddress(connection) });
  if (obstacle) {
    const warning = `${obstacle.reason}, so the phone may not be able to open it. ${obstacle.advice}`;
    run.hints.push({ type: 'warning', text: warning });
  }
  const build = (item: Item): WireOperation => {
    const { index, read } = item;
    const { address } = links[index];
    const onButton = { text: withoutLink(text), caption: button, link: address };
    const wording = { text: withLink(text, address), button: onButton };
    // A Retry asks under a new id: the gateway would take a message with an earlier id for sent.
    const phone = phones[index];
    const ofRetry = JSON.stringify(['question', asked, index]);
    const ownId = run.journal.past.isRetry ? sendOnceId(ofRetry, phone) : item.idFor({ phone });
    const operation = buildByChannels({ type, id: ownId, phone, channels, wording, optional }, read);
    if (hook !== undefined) operation.hook = hook.address;
    return operation;
  };
  const hideLink: RowChange = (row): undefined => {
    row.secrets = [...links[row.index].secrets, ...(hook?.secrets ?? [])];
  };
  const { steps, comparisons } = decisionsOf({ run, connection });
  // The first item sends for all: one message to each person.
  const rows = phones.map((_, index) =>
    prepareRow(new Item(run, index, 0), build, [hideLink, withFreshId, ...steps]),
  );
  compareRows(run, rows, comparisons, () => 0);
  const invalid = rows.find((row) => 'error' in row);
  if (invalid !== undefined && run.stopsAtErrors) return phones.map(() => invalid as FailedItem);
  return await sendRows(run, rows, { recovery: 'status', output: sendOutput });
}
