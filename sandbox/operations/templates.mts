/**
 * SMS and Viber templates (gateway-api.md, `template/...`). The names of the fields in results are not shown
 * there, so there are several shapes to choose from (`shapes.templates`).
 */
import type { Shapes } from '../config.mts';
import { smsParts } from '../sms.mts';
import type { ItemResult, JsonObject } from '../types.mts';

export interface SmsTemplate {
  /** A string: `template/delete` takes a string. */
  id: string;
  name: string;
  text: string;
  created: string;
}

export interface ViberTemplate {
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

type Shape = Shapes['templates'];

function smsView(template: SmsTemplate, shape: Shape, withDate: boolean): JsonObject {
  const { id, name, text, created } = template;
  const counts = { characters: Array.from(text).length, parts: smsParts(text) };
  if (shape === 'wordy') {
    return {
      template_id: id,
      template_name: name,
      template: text,
      symbols_count: counts.characters,
      parts_count: counts.parts,
      ...(withDate ? { created_at: created } : {}),
    };
  }
  return { id, name, text, ...counts, ...(withDate ? { created } : {}) };
}

function viberView(template: ViberTemplate, moderationMs: number, shape: Shape): JsonObject {
  const status = Date.now() - template.createdAt >= moderationMs ? 'approved' : 'moderation';
  if (shape === 'wordy') {
    return {
      template_id: template.id,
      template: template.text,
      signature: template.signature,
      moderation_status: status,
    };
  }
  return { id: template.id, text: template.text, signature: template.signature, status };
}

function listed(templates: JsonObject[], shape: Shape): unknown {
  if (shape === 'array') return templates;
  return shape === 'wordy' ? { list: templates } : { templates };
}

function deleted(count: number, shape: Shape): unknown {
  if (shape === 'array') return count;
  return shape === 'wordy' ? { count } : { deleted: count };
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
  settings: { shape: Shape; moderationMs: number; nextId: () => number },
): ItemResult {
  const { shape, moderationMs, nextId } = settings;
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
      return { success: true, data: smsView(template, shape, false) };
    }
    case 'template/viber/create': {
      const template: ViberTemplate = {
        id: nextId(),
        text: operation.template as string,
        signature: (operation.signature as string | undefined) ?? '',
        createdAt: Date.now(),
      };
      book.viber.push(template);
      const {
        text: _text,
        template: _template,
        signature: _signature,
        ...data
      } = viberView(template, moderationMs, shape);
      return { success: true, data };
    }
    case 'template/list':
      return {
        success: true,
        data: listed(
          book.sms.map((template) => smsView(template, shape, true)),
          shape,
        ),
      };
    case 'template/viber/list':
      return {
        success: true,
        data: listed(
          book.viber.map((template) => viberView(template, moderationMs, shape)),
          shape,
        ),
      };
    default: {
      // Deleting with neither criterion would empty the account, so it is refused, although the contract's
      // field list requires neither.
      if (operation.id === undefined && operation.template === undefined) {
        return { success: false, error: 'id or template is required', data: {} };
      }
      const list = operation.type === 'template/delete' ? book.sms : book.viber;
      return { success: true, data: deleted(remove(list as never[], operation), shape) };
    }
  }
}
