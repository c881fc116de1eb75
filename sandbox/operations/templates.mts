/**
 * SMS and Viber templates (gateway-api.md, "Lookups and account"). The names of the fields in results are not shown
 * there, and are the sandbox's own.
 */
import { smsParts } from '../sms.mts';
import type { ItemResult, JsonObject } from '../types.mts';

interface SmsTemplate {
  /** A string: `template/delete` takes a string. */
  id: string;
  name: string;
  text: string;
  created: string;
}

interface ViberTemplate {
  /** A whole number: `template/viber/delete` takes an integer. */
  id: number;
  text: string;
  signature: string;
  createdAt: number;
}

/** Templates of one account. */
export interface TemplateBook {
  sms: SmsTemplate[];
  viber: ViberTemplate[];
}

/** How long a Viber template stays in moderation before it is approved. */
const MODERATION_MS = 2000;

function smsView({ id, name, text }: SmsTemplate): JsonObject {
  return { id, name, text, characters: Array.from(text).length, parts: smsParts(text) };
}

function statusOf({ createdAt }: ViberTemplate): string {
  return Date.now() - createdAt >= MODERATION_MS ? 'approved' : 'moderation';
}

/** Removes what matches every given criterion and says how many that were. */
function remove<T extends { id: unknown; text: string }>(list: T[], operation: JsonObject): number {
  const keep = list.filter(
    (template) =>
      (operation.id !== undefined && operation.id !== template.id) ||
      (operation.template !== undefined && operation.template !== template.text),
  );
  const count = list.length - keep.length;
  list.splice(0, list.length, ...keep);
  return count;
}

/**
 * Carries out a template operation whose properties were checked.
 * @param nextId gives ids of new templates
 */
export function templateOperation(
  operation: JsonObject,
  book: TemplateBook,
  nextId: () => number,
): ItemResult {
  switch (operation.type) {
    case 'template/create': {
      const text = operation.template as string;
      const template: SmsTemplate = {
        id: String(nextId()),
        name: (operation.name as string | undefined) ?? '',
        text,
        created: new Date().toISOString(),
      };
      book.sms.push(template);
      return { success: true, data: smsView(template) };
    }
    case 'template/viber/create': {
      const template: ViberTemplate = {
        id: nextId(),
        text: operation.template as string,
        signature: (operation.signature as string | undefined) ?? '',
        createdAt: Date.now(),
      };
      book.viber.push(template);
      return { success: true, data: { id: template.id, status: statusOf(template) } };
    }
    case 'template/list':
      return {
        success: true,
        data: { templates: book.sms.map((one) => ({ ...smsView(one), created: one.created })) },
      };
    case 'template/viber/list':
      return {
        success: true,
        data: {
          templates: book.viber.map((one) => ({
            id: one.id,
            text: one.text,
            signature: one.signature,
            status: statusOf(one),
          })),
        },
      };
    default: {
      // Deleting with neither criterion would empty the account, so it is refused, although the contract's
      // field list requires neither.
      if (operation.id === undefined && operation.template === undefined) {
        return { success: false, error: 'id or template is required', data: {} };
      }
      const list = operation.type === 'template/delete' ? book.sms : book.viber;
      return { success: true, data: { deleted: remove(list as never[], operation) } };
    }
  }
}
