import { richFields, senderField } from './make-field';

export const rcsSignature = senderField({
  parameter: 'rcsSignature',
  wire: 'rcs_signature',
  displayName: 'RCS Sender',
  listMethod: 'searchRcsSenders',
});

const { message, image, button, link } = richFields('rcs', 'RCS');

/** The fields that every RCS part needs, in form order. */
export const rcsFields = [rcsSignature, message, image, button, link];
