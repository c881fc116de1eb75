import { whatsappSignature } from '../fields/channels';
import type { Field } from '../fields/field';
import { quoted, readFields } from '../fields/field';
import { textField } from '../fields/make-field';
import { messageOperation } from '../sending/wire-operation';

/** The keys of the object `whatsapp`, in form order. */
const FIELDS = [
  whatsappSignature,
  textField('WhatsApp Text', 'message', 'Text of the WhatsApp message', {
    name: 'whatsappMessage',
    placeholder: 'e.g. Your order is ready',
    typeOptions: { rows: 3 },
  }),
];

/** The only way to WhatsApp: a pipeline of this one channel (gateway-api.md, "Pipelines"). */
const whatsapp: Field = {
  wire: 'pipeline',
  displayName: 'WhatsApp Text',
  properties: (type) => FIELDS.flatMap((field) => field.properties(type)),
  fill(operation, get, type) {
    operation.pipeline = ['whatsapp'];
    operation.whatsapp = readFields(FIELDS, get, type);
  },
  describe([, key]) {
    const found = FIELDS.find(({ wire }) => wire === key);
    return found && quoted(found.displayName);
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
