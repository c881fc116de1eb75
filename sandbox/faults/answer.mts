import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isObject } from '../checks.mts';
import { htmlPage, pause, send } from '../http.mts';
import type { Late } from '../late.mts';
import type { RecordedRequest } from '../requests.mts';
import type { Answer, JsonObject } from '../types.mts';
import { KINDS } from './plan.mts';
import type { FaultPlan } from './plan.mts';

/** What is needed to answer badly. */
export interface FaultScene {
  response: ServerResponse;
  record: RecordedRequest;
  /** Carries the request out, or the first part of it (from 0 to 1), and gives the good answer to that. */
  take: (part?: number) => Answer;
  /** Carries it out later, for faults with a `commitDelay`. */
  late: Late;
}

/** Answers a request with a fault. Resolves when the answer is under way or the connection is gone. */
export async function answerWithFault(plan: FaultPlan, scene: FaultScene): Promise<void> {
  const { kind } = plan;
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
  switch (kind) {
    case 'drop-before':
    case 'drop-after':
      return void response.socket?.destroy();
    case 'status-before':
    case 'status-after': {
      const status = plan.status ?? 502;
      if (plan.error !== undefined) return json(status, { success: false, error: plan.error });
      return answer(status, 'text/html', htmlPage(`${status} Gateway error`));
    }
    case 'html-after':
      return answer(200, 'text/html; charset=utf-8', htmlPage('Sign in'));
    case 'slow': {
      // Its answer is the good one, so it waits for the batch as well.
      const [good] = await Promise.all([late ?? taken, pause(plan.delayMs ?? 5000)]);
      if (!good) return void response.socket?.destroy();
      return json(good.code, good.body);
    }
    case 'hang-after':
      return undefined;
    case 'rate-limit': {
      const headers = { 'retry-after': String(plan.retryAfter ?? 1) };
      return json(429, { success: false, error: 'Too many requests' }, headers);
    }
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
    case 'refuse':
    case 'refuse-after':
      return json(200, { success: false, error: plan.error ?? 'Internal error' });
    case 'endless-events':
      record.answered(200, ': still working …');
      return sendComments(response);
  }
}

/** Sends an event stream that stays open with comments and never brings the answer. */
function sendComments(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => response.write(': still working\n\n'), 50);
  response.once('close', () => clearInterval(timer));
}
