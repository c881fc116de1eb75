import { whatsappSignature } from '../fields/channels';
import type { Field } from '../fields/field';
import { readFields } from '../fields/field';
import { messageField } from '../fields/make-field';
import { pipelineOf, STAGE_RULES } from '../fields/pipeline';
import { messageOperation } from '../sending/wire-operation';

/** The keys of the object `whatsapp`, in form order. */
const FIELDS = [
  whatsappSignature,
  messageField('WhatsApp Text', 'message', 'Text of the WhatsApp message', {
    name: 'whatsappMessage',
    placeholder: 'e.g. Your order is ready',
    typeOptions: { rows: 3 },
  }),
];

/** A pipeline of WhatsApp alone, as no operation type sends it (gateway-api.md, "Pipelines"). */
const whatsapp: Field = {
  wire: 'pipeline',
  properties: (type) => FIELDS.flatMap((field) => field.properties(type)),
  fill(operation, get) {
    const stage = readFields(FIELDS, get, STAGE_RULES.whatsapp);
    Object.assign(
      operation,
      pipelineOf(['whatsapp'], () => stage),
    );
  },
};

export const sendWhatsApp = messageOperation({
  resource: 'message',
  operation: 'sendWhatsApp',
  name: 'Send WhatsApp',
  action: 'Send WhatsApp message',
  description: 'Send a WhatsApp message with text',
  wireType: 'pipeline',
  fields: [whatsapp],
});
