import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { unreachableReason } from '../../gateway/callback/address';
import type { WireOperation } from '../../gateway/contract/operations';
import { smsTextOf } from '../../gateway/contract/operations';
import { measureSms } from '../../gateway/sms/segments';
import { isObject } from '../../gateway/text/json';
import { baseAddress } from '../../n8n/connection';
import { showHint } from '../../n8n/engine';
import { isAgentTool } from '../agent/detect';
import { readFields } from '../fields/field';
import { buildByChannels, wireTypeFor } from '../message-parts/by-channels';
import { withSender } from '../message-parts/sender-by-country';
import { requireKeys } from '../run/account';
import type { FailedItem, ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import { Run } from '../run/run';
import { optionFieldsOf } from '../sending/build';
import { sendOutput } from '../sending/output';
import { send } from '../sending/send';
import { sleepUntil } from '../suspend/sleep';
import type { QuestionLinks } from './link';
import { linksFor, placeholdersFor } from './link';
import type { ApprovalNote } from './output';
import { unansweredItem } from './output';
import type { ApprovalPlan } from './plan';
import { readPlan } from './plan';
import { messageWording, MOST_SEGMENTS } from './wording';

/**
 * Asks the people whom the items name, and puts the execution to sleep until one of them answers. The answer belongs to
 * all items of the run.
 * @returns one result for each input item: what n8n shows while the execution sleeps, what Check Only found, or why
 *   nobody could be asked
 * @throws NodeOperationError for invalid parameters, and in an agent's tool
 */
export async function askAndWait(run: Run): Promise<ItemResult[]> {
  if (isAgentTool(run.context)) {
    throw new NodeOperationError(run.node, "A tool of an agent can't wait for a person", {
      description:
        "Do not try again. Tell the user to put this node between the agent and its tools as a human review (from the list Human review of the agent's tools).",
    });
  }
  const plan = readPlan(run);
  const { phones, question, words, limitAt, isReview, checkOnly } = plan;
  const nonce = run.journal.madeId(0);
  const links = checkOnly ? placeholdersFor(run.context) : await linksOf(run, nonce);
  const results = (await sendMessages(run, plan, links)).map(unlessUndelivered);
  const failed = results.filter(isFailed);
  const firstFailure = failed.find(({ state }) => state === 'unknown') ?? failed.at(0);
  // Only the first item sends, for all.
  const others = run.items.slice(1);
  if (checkOnly) {
    const jsons = results.flatMap((result) => (isFailed(result) ? [] : result.jsons));
    return [
      firstFailure ?? { jsons, checked: true },
      ...others.map(() => ({ jsons: [], checked: true as const })),
    ];
  }
  if (firstFailure && failed.length === phones.length)
    return [firstFailure, ...others.map(() => ({ error: firstFailure.error }))];
  if (failed.length > 0) {
    const reasons = results.flatMap((result, i) =>
      isFailed(result) ? `${phones[i]}: ${result.error.message}` : [],
    );
    warn(run, [missedInWords(failed, phones.length), ...reasons].join('. '));
  }

  const messages = results.map(
    (result, i): IDataObject =>
      isFailed(result) ? { phone: phones[i], ...result.json, error: result.error.message } : result.jsons[0],
  );
  const items = run.items.map((item, index) => unansweredItem(item, index, messages, isReview));
  const note = {
    run: run.journal.runIndex,
    nonce,
    question,
    recipients: messages.map(({ id }, i) => ({ id: id as number | string, phone: phones[i] })),
    limitAt,
    ...(words !== undefined && { words }),
  } satisfies Omit<ApprovalNote, 'key'>;
  // At the limit there is nothing to ask the gateway, so n8n itself goes on, at that very moment.
  await sleepUntil(run.context, limitAt, items, note as IDataObject & typeof note);
  return run.items.map(() => ({ jsons: [{ messages }] }));
}

/**
 * Returns what makes the links of the question.
 * @throws NodeOperationError without a usable API key, of which they are made
 */
async function linksOf(run: Run, nonce: number): Promise<QuestionLinks> {
  const connection = await run.connection();
  const key = requireKeys(run.node, connection, connection.questionKey(), 'Nobody was asked');
  const executionId = run.context.getExecutionId();
  return linksFor(run.context, key, { executionId, nodeId: run.node.id, run: run.journal.runIndex, nonce });
}

/** A message that the gateway took and could not deliver asks nobody. */
function unlessUndelivered(result: ItemResult): ItemResult {
  if (isFailed(result) || result.checked) return result;
  const [json] = result.jsons;
  if (json.outcome !== 'failed' || json.final !== true) return result;
  const description = `The gateway took the message and did not deliver it. Its status: ${String(json.status)}.`;
  return { error: { kind: 'service', message: 'The question did not arrive', description }, json };
}

/** Says how many people were certainly not asked, and how many may have been. */
function missedInWords(failed: readonly FailedItem[], total: number): string {
  const unknown = failed.filter(({ state }) => state === 'unknown').length;
  const certain = failed.length - unknown;
  const of = (count: number) => `${count} of ${total} people`;
  const parts = [
    ...(certain > 0 ? [`${of(certain)} ${certain === 1 ? 'was' : 'were'} not asked`] : []),
    ...(unknown > 0 ? [`${of(unknown)} may not have been asked`] : []),
  ];
  return parts.join('; ');
}

/** Sends one message to each recipient, under an id of its own. Returns their results, in order. */
async function sendMessages(run: Run, plan: ApprovalPlan, links: QuestionLinks): Promise<ItemResult[]> {
  const { phones, channels, words, checkOnly } = plan;
  const type = wireTypeFor(channels);
  const hook = words && links.of('gateway');
  const gateway = baseAddress(await run.connection());
  // The first item sends for all of them: one message to each person.
  const messages = new Run(
    run.context,
    run.definition,
    phones.map(() => 0),
  );
  return await send(messages, {
    recovery: 'status',
    result: sendOutput,
    build(item) {
      const link = links.of(phones[item.index]);
      const optionFields = optionFieldsOf({ wireType: type, fields: [] });
      const optional = readFields(optionFields, (name) => item.options[name], type);
      const { wording, isCut } = messageWording(plan.text, link, {
        caption: plan.button,
        bySms: channels.includes('sms'),
        isShortened: optional.short_link === true,
      });
      const message = { type, id: item.id, phone: phones[item.index], channels, wording, optional };
      const operation = withSender(buildByChannels(message, item.read), item.options);
      if (hook !== undefined) operation.hook = hook;
      if (item.index === 0) {
        warnOfLink(run, operation, { link, gateway });
        if (isCut) warn(run, CUT_HINT);
      }
      const secrets = [link, ...(hook === undefined ? [] : [hook])].flatMap(links.secretsIn);
      return { operation, endpoint: 'sync', checkOnly, secrets };
    },
  });
}

const CUT_HINT = `The text of the message was cut: with its link it may cost ${MOST_SEGMENTS} SMS at most. The page shows all of it. To have another text in the message, enter a short one as 'Text', and what the page shows as 'Response Form Description'.`;

const warn = ({ context }: Run, message: string): void =>
  showHint(context, { message, type: 'warning', location: 'outputPane' });

/** Returns the punctuation that stands right behind the link in a text of the operation; undefined without one. */
function punctuationBehind(link: string, operation: WireOperation): string | undefined {
  const texts = Object.values(operation).map((value) => (isObject(value) ? value.message : value));
  for (const text of texts) {
    const at = typeof text === 'string' ? text.indexOf(link) : -1;
    const [mark] = at === -1 ? [] : (/^\p{P}/u.exec(String(text).slice(at + link.length)) ?? []);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

/** Warns of a link that opens on no phone, and of several SMS; the gateway's short links have another length. */
function warnOfLink(
  run: Run,
  operation: WireOperation,
  { link, gateway }: { link: string; gateway: string | undefined },
): void {
  const obstacle = unreachableReason(link, { name: 'link', gateway });
  if (obstacle) {
    warn(run, `${obstacle.reason}, so the phone may not be able to open it. ${obstacle.advice}`);
  }
  const mark = punctuationBehind(link, operation);
  if (mark !== undefined) {
    warn(
      run,
      `"${mark}" stands right behind the link. Some phones take it for a part of the link, which then opens nothing: put a blank or a line break behind {link}.`,
    );
  }
  const text = smsTextOf(operation);
  if (text === undefined || operation.short_link === true) return;
  const { segments, units, encoding, unitsPerSegment } = measureSms(text);
  if (segments < 2) return;
  const single = encoding === 'GSM-7' ? 160 : 70;
  warn(
    run,
    `The message is billed as ${segments} SMS: it has ${units} characters (${encoding}, ${unitsPerSegment} in each), ${link.length} of them in the link. A single SMS has ${single}. The option Shorten Links makes the link shorter, where your tariff has it.`,
  );
}
