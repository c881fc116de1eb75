import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isObject } from '../checks.mts';
import { htmlPage, pause, send } from '../http.mts';
import type { Late } from '../late.mts';
import { shuffled } from '../random.mts';
import type { Random } from '../random.mts';
import type { RecordedRequest } from '../requests.mts';
import type { Answer, JsonObject } from '../types.mts';
import { sendComments, sendLong } from './endless.mts';
import { answerOf, KINDS } from './kinds.mts';
import type { FaultKind } from './kinds.mts';
import type { FaultPlan } from './plan.mts';

/** A fault that struck a request. */
export interface ChosenFault {
  kind: FaultKind;
  plan: FaultPlan;
}

/** What is needed to answer badly. */
export interface FaultScene {
  response: ServerResponse;
  record: RecordedRequest;
  /** Carries the request out, or the first part of it (from 0 to 1), and gives the good answer to that. */
  take: (part?: number) => Answer;
  /** Carries it out later, for faults with a `commitDelay`. */
  late: Late;
  random: Random;
}

/** A good answer that is cut off before it says what became of the batch, since that isn't known yet. */
const CUT_EARLY = '{"success":true,';

/** Answers a request with a fault. Resolves when the answer is under way or the connection is gone. */
export async function answerWithFault({ kind, plan }: ChosenFault, scene: FaultScene): Promise<void> {
  const { response, record } = scene;
  const take = () => scene.take(plan.takes);
  const late = plan.commitDelay === undefined ? undefined : scene.late.add(record, plan.commitDelay, take);
  const taken = !late && KINDS[kind].takes ? take() : undefined;
  if (plan.holdMs !== undefined) await pause(plan.holdMs);
  const answer = (status: number, type: string, body: string, headers: Record<string, string> = {}) => {
    record.answered(status, body);
    send(response, status, type, body, headers);
  };
  const json = (status: number, body: JsonObject, headers?: Record<string, string>) =>
    answer(status, 'application/json', JSON.stringify(body), headers);
  const changed = (change: (data: JsonObject[]) => JsonObject[]) => {
    const { code, body } = taken ?? take();
    const data = Array.isArray(body.data) ? { data: change(body.data as JsonObject[]) } : {};
    json(code, { ...body, ...data });
  };
  switch (answerOf(kind)) {
    case 'drop':
      return void response.socket?.destroy();
    case 'status': {
      const status = plan.status ?? 502;
      if (plan.error !== undefined) return json(status, { success: false, error: plan.error });
      return answer(status, 'text/html', htmlPage(`${status} Gateway error`));
    }
    case 'html':
      return answer(200, 'text/html; charset=utf-8', htmlPage('Sign in'));
    case 'garbage':
      return answer(200, 'application/json', '\u0000\u0001 not json }{');
    case 'empty':
      return answer(200, 'application/json', '');
    case 'truncated': {
      const whole = taken && JSON.stringify(taken.body);
      return answer(200, 'application/json', whole?.slice(0, Math.floor(whole.length / 2)) ?? CUT_EARLY);
    }
    case 'short-data':
      return changed((data) => data.slice(0, -1));
    case 'long-data':
      return changed((data) => [...data, ...data.slice(-1)]);
    case 'reordered':
      return changed((data) => reordered(data, scene.random));
    case 'foreign-ids':
      return changed((data) =>
        data.map((item) => ({ ...item, data: { ...(item.data as JsonObject), id: 999_999_999_999 } })),
      );
    case 'slow': {
      // Its answer is the good one, so it waits for the batch as well.
      const [good] = await Promise.all([late ?? taken, pause(plan.delayMs ?? 5000)]);
      if (!good) return void response.socket?.destroy();
      return json(good.code, good.body);
    }
    case 'hang':
      return undefined;
    case 'rate-limit': {
      const seconds = plan.retryAfter === undefined ? 1 : plan.retryAfter;
      const headers: Record<string, string> = seconds === null ? {} : { 'retry-after': String(seconds) };
      return json(429, { success: false, error: 'Too many requests' }, headers);
    }
    case 'too-large':
      return answer(413, 'text/html', htmlPage('413 Request Entity Too Large'));
    case 'refuse-items': {
      const error = plan.error ?? 'Internal error';
      const sent = isObject(record.body) && Array.isArray(record.body.data) ? record.body.data : [];
      const ids = sent.map((operation: unknown) => (isObject(operation) ? operation.id : null));
      return json(200, { success: true, data: ids.map((id) => ({ success: false, error, data: { id } })) });
    }
    case 'acknowledged':
      return json(200, { success: true, request_id: randomUUID() });
    case 'repeated': {
      // Something on the way sends the request again, and its answer is that to the copy.
      const copy = take();
      return json(copy.code, copy.body);
    }
    case 'refuse-large':
      return json(200, { success: false, error: plan.error ?? 'Too many operations in one request' });
    case 'refuse':
      return json(200, { success: false, error: plan.error ?? 'Internal error' });
    case 'huge':
      record.answered(200, '{"padding":"xxx…');
      return sendLong(response, plan.bytes ?? 64 * 1024 * 1024);
    case 'endless':
      record.answered(200, '{"padding":"xxx… without an end');
      return sendLong(response, Infinity);
    case 'endless-events':
      record.answered(200, ': still working …');
      return sendComments(response);
  }
}

/** Another order for sure, where there are two items to exchange. */
function reordered<T>(list: T[], random: Random): T[] {
  const mixed = shuffled(list, random);
  return mixed.every((item, index) => item === list[index]) ? [...list.slice(1), ...list.slice(0, 1)] : mixed;
}
