import type { WireOperation, WireType } from '../contract/operations';
import { isWireType } from '../contract/operations';
import type { Report } from '../delivery/reports';
import { classify, isMessageNumber, reportOfStatus } from '../delivery/reports';
import { canonicalStatus, outcomeOfStatus, REFUSED_STATUS } from '../delivery/statuses';
import { policyOf } from '../errors/catalogue';
import type { Problem } from '../errors/problem';
import { isFault } from './refusal';
import type { ItemVerdict } from './response';
import { meansAbsent, NO_STATE } from './status-check';

/**
 * What `status` says of a row, as far as that is proven.
 * - `accepted`, `failed`, `rejected`: a listed state: pending or arrived, or replies; not delivered; REJECTED.
 * - `seen`: the gateway has it, in a state that isn't listed.
 * - `absent`: it is answered like ids that nobody has sent; `words` are that answer, ids and digits masked, and `said`
 *   is what is said in it.
 * - `unclear`: none of these.
 * - `unanswered`: there is no answer that could be read, or one without controls.
 * - `notAsked`: the gateway wants to be left alone, or has been asked often enough.
 */
export type StatusProof =
  | { is: 'accepted' | 'failed' | 'rejected' | 'seen'; report: Report }
  | { is: 'absent'; words: string; said: Report }
  | { is: 'unanswered' | 'notAsked'; problem?: Problem }
  | { is: 'unclear' };

export type MessageId = WireOperation['id'];

/** A question about a message, with the type with which it was sent. */
export interface StatusQuestion {
  id: MessageId;
  type: WireType;
}

/** The answer about an `id`. */
export interface Told {
  id: MessageId;
  item: ItemVerdict;
}

const UNCLEAR: StatusProof = { is: 'unclear' };

/** What the controls of a run have shown: fields and states that say nothing of a message, and how the last one was answered. */
export interface ControlsSeen {
  readonly noise: Set<string>;
  readonly states: Set<string>;
  last?: Shape;
}

/**
 * Reads what is said of messages beside what is said of controls, ids that nobody has sent, in the same request. What
 * the gateway says of an unknown `id` isn't documented, so it isn't recognised by words: absent is what is answered like
 * the controls, and a state that one of the run has had too shows nothing. Without a control nothing is absent.
 * @param seen what earlier controls have shown; what these show is added
 */
export function proofsOf(
  questions: readonly StatusQuestion[],
  told: readonly Told[],
  controls: readonly Told[],
  seen: ControlsSeen,
): StatusProof[] {
  const shapes = controls.map(shapeOf);
  const [control] = shapes;
  learnNoise(seen, shapes);
  const { noise, states } = seen;
  for (const { item } of controls) states.add(stateIn(item));
  const tells = doControlsAgree(controls) && !controls.some(({ item }) => meansSomethingElse(item));
  return told.map((one, i) => {
    const isOther = isNamed(one, controls) || isAnswered(reportIn(one.item));
    if (control !== undefined && !isOther && isAlike(shapeOf(one), control, noise))
      return tells ? { is: 'absent', words: wordsOfShape(control), said: reportIn(one.item) } : UNCLEAR;
    return presence(questions[i], one, controls, states);
  });
}

/**
 * Learns which fields say nothing of a message: those that differ from control to control, in one request or from one to
 * the next, where both say the same; and a number with a fraction, which measures something of the answer.
 */
function learnNoise(seen: ControlsSeen, shapes: readonly Shape[]): void {
  const { last } = seen;
  const isSame = last !== undefined && shapes.length > 0 && wordsOfShape(last) === wordsOfShape(shapes[0]);
  const measured = shapes.flatMap((shape) => [...shape.keys()].filter((name) => shape.get(name) === MEASURE));
  for (const name of [...differing(isSame ? [last, ...shapes] : shapes), ...measured])
    if (!DECIDING.includes(name)) seen.noise.add(name);
  seen.last = shapes.at(-1) ?? last;
}

/** Whether controls are answered alike in what decides; where they aren't, the gateway may have looked at some ids only. */
export const doControlsAgree = (controls: readonly Told[]): boolean =>
  !differing(controls.map(shapeOf)).some((name) => DECIDING.includes(name));

/** Whether an answer has a listed state. */
export const hasListedState = ({ item }: Told): boolean =>
  item.state === 'accepted' && outcomeOfStatus(stateIn(item)) !== undefined;

/** What an answer shows by itself, which isn't that about the controls. */
function presence(
  { type }: StatusQuestion,
  told: Told,
  controls: readonly Told[],
  shared: ReadonlySet<string>,
): StatusProof {
  const { item } = told;
  if (item.state === 'refused') return UNCLEAR;
  const report = reportIn(item);
  const others = controls.map((control) => reportIn(control.item));
  const status = stateIn(item);
  const hasReplies = isAnswered(report) && !others.some(isAnswered);
  const isShared = shared.has(status);
  if (hasReplies || (!isShared && outcomeOfStatus(status) !== undefined)) {
    const { outcome } = classify(reportOfStatus(report), type);
    if (outcome !== 'failed') return { is: outcome === 'unknown' ? 'seen' : 'accepted', report };
    return { is: status === REFUSED_STATUS ? 'rejected' : 'failed', report };
  }
  // Without controls, nothing tells such an answer from that about any other id.
  if (controls.length === 0) return UNCLEAR;
  const namesState = status !== '' && !isShared && !NO_STATE.test(status) && !meansAbsent(status);
  return namesState || isNamed(told, controls) ? { is: 'seen', report } : UNCLEAR;
}

/** Whether an answer has the gateway's own number or the type of a message, and no control has one. */
function isNamed({ item }: Told, controls: readonly Told[]): boolean {
  if (item.state === 'refused') return false;
  const { msg_id: messageId, type } = reportIn(item);
  const others = controls.map((control) => reportIn(control.item));
  const isType = isWireType(type) && type !== 'status';
  return (
    (isMessageNumber(messageId) && !others.some((other) => isMessageNumber(other.msg_id))) ||
    (isType && !others.some((other) => other.type === type))
  );
}

/** Whether all that a report shows of a message is in an answer too that shows nothing of any. */
export function showsNothing(report: Report, absent: Report): boolean {
  const [told, none] = [report, absent].map(
    (payload): Told => ({ id: 0, item: { state: 'accepted', payload } }),
  );
  return stateIn(told.item) === stateIn(none.item) && !isNamed(told, [none]) && !isAnswered(report);
}

const isAnswered = ({ replies }: Report): boolean => Array.isArray(replies) && replies.length > 0;

const stateIn = (item: ItemVerdict): string => canonicalStatus(reportIn(item).status);

const reportIn = ({ payload }: ItemVerdict): Report =>
  typeof payload === 'object' && payload !== null ? (payload as Report) : {};

/** What the catalogue calls a refusal that it doesn't know, and one that says that there is no such message. */
const MAY_MEAN_ABSENT: readonly string[] = ['refused', 'message-not-known'];

/**
 * Whether the answer to a control is one that can't mean "no such message": no words at all, or words of which the
 * contract or the catalogue knows another meaning. Words may veto, and never prove. A success may say nothing, or have the
 * words of a fault for a state.
 */
function meansSomethingElse(item: ItemVerdict): boolean {
  if (item.state === 'accepted') {
    const state = stateIn(item);
    const asRefusal: Problem = { kind: 'item', text: state, wireType: 'status' };
    // "ERROR" alone is what some have there for an id that nobody has sent.
    const isFaulty = /\p{L}\P{L}+\p{L}/u.test(state) && policyOf(asRefusal).code === 'gateway-fault';
    return isFaulty || outcomeOfStatus(state) !== undefined;
  }
  return isFault(item.problem) || !MAY_MEAN_ABSENT.includes(policyOf(item.problem).code);
}

/** The fields of an answer, by their names; the ones that decide are never noise. */
type Shape = ReadonlyMap<string, string>;
const DECIDING = ['success', 'error', 'data.status'];

const DEEPEST = 3;
const MOST_FIELDS = 20;
const LOOKED_AT = 500;

/** A number with so many digits is a reference or a time; smaller ones may be the code of a state. */
const LONG_NUMBER = 5;

/** What stands for a number with a fraction. */
const MEASURE = '#.#';

/** An answer as texts that are the same for all ids of which the gateway says the same. */
function shapeOf({ id, item }: Told): Shape {
  const shape = new Map<string, string>([['success', item.state]]);
  const add = (name: string, value: unknown, depth: number): void => {
    if (typeof value === 'object' && value !== null && depth < DEEPEST) {
      const fields = Object.entries(value).slice(0, MOST_FIELDS);
      if (fields.length === 0) shape.set(name, '{}');
      for (const [field, inner] of fields) add(`${name}.${field}`, inner, depth + 1);
    } else shape.set(name, typeof value === 'object' && value !== null ? '…' : masked(value, id));
  };
  if (item.state === 'refused' && item.problem.kind === 'item') add('error', item.problem.text, 0);
  add('data', item.payload, 0);
  return shape;
}

function masked(value: unknown, id: MessageId): string {
  const text = String(value).slice(0, LOOKED_AT);
  if (text === String(id)) return '#';
  if (/^\d+\.\d+$/.test(text)) return MEASURE;
  if (/^\d+$/.test(text)) return text.length >= LONG_NUMBER ? '#' : text;
  return text.replaceAll(String(id), '#').replace(/\S*\d\S*/g, '#');
}

function differing(shapes: readonly Shape[]): string[] {
  const [first, ...others] = shapes;
  const names = new Set(shapes.flatMap((shape) => [...shape.keys()]));
  return [...names].filter((name) => others.some((other) => other.get(name) !== first.get(name)));
}

/** Whether an answer says the same as that to a control: a field that isn't noise may be what tells a state. */
const isAlike = (one: Shape, control: Shape, noise: ReadonlySet<string>): boolean =>
  differing([one, control]).every((name) => noise.has(name));

const wordsOfShape = (shape: Shape): string =>
  DECIDING.flatMap((name) => (shape.has(name) ? [`${name}: ${shape.get(name)}`] : [])).join('\n');
