/** Links as people paste them, through n8n's engine: what reaches the gateway is what was typed, or nothing. */
import { APP_LINKS, WEB_LINKS } from '../corpus/links.mts';
import { viberForm } from '../support/operation-cases.mts';
import { grouped, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();
const LINK = '={{ $json.link }}';

it.each([
  ['hook', 'Callback URL', WEB_LINKS, smsForm({ options: grouped({ hook: LINK }) })],
  ['viber_image', 'Viber Image URL', WEB_LINKS, { ...viberForm('image'), viberImage: LINK }],
  ['viber_link', 'Viber Button Link', APP_LINKS, { ...viberForm('text+link'), viberLink: LINK }],
])('sends %s as it is written, and explains each refusal', async (field, label, cases, form) => {
  const parameters = {
    resource: 'message',
    operation: 'sendViber',
    ...form,
    phone: '380501234567',
  };
  // The form takes away blanks around a link that was pasted.
  const links = cases.filter(({ input }) => input === input.trim());
  const { json } = await runOn(sandbox, {
    parameters,
    items: links.map(({ input }) => ({ link: input })),
    onError: 'continueRegularOutput',
  });
  const sent = sandbox.messages
    .list()
    .map((message) => (message.operation as Record<string, unknown>)[field]);
  expect(sent).toEqual(links.filter(({ right }) => right === 'sent').map(({ input }) => input));
  for (const [i, { input, right }] of links.entries()) {
    const { error, what_to_do: advice } = json[i];
    if (right === 'sent') expect([input, error]).toEqual([input, undefined]);
    else {
      expect([input, error, advice]).toEqual([
        input,
        expect.stringMatching(right),
        expect.stringMatching(/^Row \d+: [a-z]/),
      ]);
      expect(error).toContain(`'${label}'`);
    }
  }
});
