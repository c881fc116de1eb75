import { linkField, senderField, textField } from './make-field';

export const rcsMessage = textField({
  parameter: 'rcsMessage',
  wire: 'rcs_message',
  displayName: 'RCS Text',
  rows: 3,
  placeholder: 'e.g. Your order is ready',
  description: 'Text of the RCS message',
});

export const rcsSignature = senderField({
  parameter: 'rcsSignature',
  wire: 'rcs_signature',
  displayName: 'RCS Sender',
  description: 'Sender name that the recipient sees. It must be approved for your account.',
  listMethod: 'searchRcsSenders',
});

export const rcsImage = linkField({
  parameter: 'rcsImage',
  wire: 'rcs_image',
  displayName: 'RCS Image URL',
  placeholder: 'e.g. https://example.com/picture.png',
  description: 'Address of the picture, which the gateway must be able to open',
});

export const rcsButton = textField({
  parameter: 'rcsButton',
  wire: 'rcs_button',
  displayName: 'RCS Button Caption',
  placeholder: 'e.g. Open',
  description: 'Text on the button',
});

export const rcsLink = linkField({
  parameter: 'rcsLink',
  wire: 'rcs_link',
  displayName: 'RCS Button Link',
  placeholder: 'e.g. https://example.com/order',
  description: 'Address that the button opens',
});

/** The fields that every RCS part needs, in form order. */
export const rcsFields = [rcsSignature, rcsMessage, rcsImage, rcsButton, rcsLink];
