/** What a new user does to send. */
import { rows, workflow } from '../../test/support/real-n8n.mts';
import { chainOf } from '../n8n-host/workflow.mts';
import { ANOTHER, PHONE, TEXT } from './task.mts';
import type { Tasks } from './task.mts';

const ROWS = workflow([
  rows('Rows', [
    { phone: PHONE, name: 'Anna' },
    { phone: ANOTHER, name: 'Ben' },
  ]),
]);

/** Thirty numbers as they stand in sheets; the last five can't be called, nor one with the trunk prefix of former times. */
const MESSY_ROWS = workflow([
  rows(
    'Rows',
    [
      ...['+380 67 123 45 01', '380671234502', '067 123 45 03', '(067) 123-45-04', '00380 67 123 45 05'],
      ...['067.123.45.06', '+38(067)1234507', "'+380671234508", '="+380671234509"', 'tel:+380671234510'],
      ...['067-123-45-11', '\u202a+380671234512\u202c', '+380\u00a067\u00a0123\u00a045\u00a013', '671234514'],
      ...[
        '+380671234515 ',
        '+48 512 345 678',
        '+44 7700 900123',
        '+1 (202) 555-0143',
        '0671234519',
        '+380671234520',
      ],
      ...['8 067 123 45 21', '+380 67 1234522', '38 067 123 45 23', '067/123/45/24', '+380-67-123-45-25'],
      ...['067 123 45', '#N/A', 'see below', '+380671234501 / 067 123 45 02', '3.80671E+11'],
    ].map((phone, nth) => ({ phone, name: `Order ${nth + 1} is ready` })),
  ),
]);

/** What an export of a spreadsheet looks like: a byte order mark, quotes, a number as a formula. */
const CSV = '\ufeffname,phone\r\n"Smith, Ann","=""+380671234501"""\r\nBen,067 123 45 02\r\n';

/** A form that takes a file, and n8n's node that reads it: both stand for the user's own. */
const FILE_OF_ROWS = chainOf('Rows of a file', [
  {
    name: 'On form submission',
    type: 'n8n-nodes-base.formTrigger',
    typeVersion: 2.3,
    webhookId: 'walk-file',
    parameters: {
      formTitle: 'Customers',
      formFields: { values: [{ fieldLabel: 'File', fieldType: 'file', multipleFiles: false }] },
      options: {},
    },
  },
  {
    name: 'Extract from File',
    type: 'n8n-nodes-base.extractFromFile',
    typeVersion: 1.1,
    parameters: { binaryPropertyName: 'File', options: {} },
  },
]);

export const SENDING: Tasks = {
  Credential: async (walker, { sandbox }) => {
    await walker.addNode('sms', /^Send (an )?SMS$/);
    const create = walker.panel.locator('[data-test-id="node-credentials-empty-state"] button');
    await walker.click(create.first(), 'the credential');
    const dialog = walker.page.locator('[data-test-id="credential-edit-dialog"]');
    const field = (name: string) => dialog.locator(`[data-test-id="parameter-input-${name}"] input`).first();
    await walker.type(field('apiKey'), sandbox.account().key, 'the API key');
    await walker.type(field('baseUrl'), sandbox.baseUrl, 'the base URL');
    await walker.click(walker.part('credential-save-button'), 'Save');
    // n8n closes the dialog by itself after a test that went well.
    await dialog.waitFor({ state: 'hidden' });
  },

  'First message': async (walker) => {
    await walker.addNode('sms', /^Send (an )?SMS$/);
    await walker.executeAtOnce();
    await walker.fill('phone', PHONE);
    await walker.fill('smsMessage', TEXT);
    await walker.chooseSender('smsSignature');
    await walker.executeToEnd();
  },

  'Fallback: Viber, then SMS': async (walker) => {
    await walker.addNode('viber', /^Send (a )?Viber message with SMS/);
    await walker.executeAtOnce();
    await walker.fill('phone', PHONE);
    await walker.chooseSender('viberSignature');
    await walker.fill('viberMessage', TEXT);
    await walker.fill('viberImage', 'https://example.com/a.png');
    await walker.fill('viberButton', 'Open');
    await walker.fill('viberLink', 'https://example.com');
    await walker.chooseSender('smsSignature');
    await walker.fill('smsMessage', TEXT);
    await walker.executeToEnd();
  },

  'Bulk from rows': async (walker) => {
    await walker.paste(ROWS);
    await walker.addNode('sms', /^Send (an )?SMS$/);
    await walker.drag('phone', 'phone');
    await walker.drag('name', 'smsMessage');
    await walker.chooseSender('smsSignature');
    await walker.executeToEnd();
  },

  'Thirty rows as people write them': async (walker) => {
    await walker.paste(MESSY_ROWS);
    await walker.addNode('sms', /^Send (an )?SMS$/);
    await walker.drag('phone', 'phone');
    await walker.drag('name', 'smsMessage');
    await walker.chooseSender('smsSignature');
    walker.hesitate(await walker.executeToError());
    await walker.addOption('Default Country');
    await walker.fill('country', 'UA');
    walker.hesitate(await walker.executeToError());
    await walker.continueOnError();
    await walker.execute();
    await walker.panel.getByText('Error Branch (6 items)').waitFor();
  },

  'Rows of a CSV file': async (walker) => {
    await walker.paste(FILE_OF_ROWS);
    await walker.submitFile({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) });
    await walker.addNode('sms', /^Send (an )?SMS$/);
    await walker.drag('phone', 'phone');
    await walker.fillExpression('smsMessage', 'Dear {{ $json.name }}, your order is ready');
    await walker.chooseSender('smsSignature');
    await walker.addOption('Default Country');
    await walker.fill('country', 'UA');
    await walker.executeToEnd();
  },
};
