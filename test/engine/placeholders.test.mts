/** Texts with gaps, and what an SMS costs, as the node treats them: hints, refusals, and what leaves. */
import type { IDataObject } from 'n8n-workflow';

import type { NodeSettings } from '../support/engine.mts';
import { viberForm } from '../support/operation-cases.mts';
import { grouped, senderNamed, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

/** Another number for each row: rows with the same text are messages of their own. */
const PHONE = '=3805012345{{ 10 + $itemIndex }}';

async function send(form: IDataObject, items: IDataObject[], settings: NodeSettings = {}) {
  const parameters = { resource: 'message', phone: PHONE, ...form };
  const run = await runOn(sandbox, { parameters, items, ...settings });
  const hints = run.task?.hints?.map(({ message, type }) => `${type}: ${message}`) ?? [];
  const left = sandbox.messages.list().map(({ operation }) => operation);
  return { ...run, hints, left };
}

const sms = (smsMessage: string, options: IDataObject = {}): IDataObject =>
  smsForm({ phone: PHONE, smsMessage, options });
const GREETING = '=Hello {{ $json.name }}, order {{ $json.order }} is ready';
const rows = (...names: unknown[]) => names.map((name) => ({ name, order: 'A1' }) as IDataObject);

/** Each part of a message that holds a text, with its place in errors. */
const SLIDE = {
  caption: 'Shoes',
  image: 'https://example.com/a.png',
  button: 'Open',
  url: 'https://example.com',
};
const carousel = (over: IDataObject): IDataObject => ({
  ...viberForm('carousel'),
  operation: 'sendViber',
  viberCarousel: { slides: [SLIDE, { ...SLIDE, ...over }] },
});
const pipeline = (stage: IDataObject): IDataObject => ({
  operation: 'sendPipeline',
  pipeline: {
    stages: [
      { channel: 'viber', message: 'Hi', signature: senderNamed(), viberType: 'text' },
      { channel: 'sms', signature: senderNamed(), ...stage },
    ],
  },
});
const PLACES: Array<[place: string, form: (text: string) => IDataObject]> = [
  ["'SMS Text'", (text) => sms(text)],
  ["'Text' of channel 2 in 'Channels'", (text) => pipeline({ message: text })],
  ["'Caption' of slide 2 in 'Viber Carousel'", (text) => carousel({ caption: text })],
];

describe('an empty placeholder', () => {
  it.each<[what: string, column: string, said: string]>([
    ['in other letters', 'Name', 'the column is called "Name"'],
    ['with a blank', 'name ', 'the column is called "name "'],
    [
      'with the byte order mark of an export',
      '\ufeffname',
      'the name of the column "name" has a character that nobody sees: drag the column from the input into the field',
    ],
  ])('says which column was meant: %s', async (_, column, said) => {
    const items = ['Ann', 'Bo'].map((name) => ({ [column]: name, order: 'A1' }));
    const { hints } = await send(sms(GREETING, { emptyPlaceholders: 'warn' }), items);
    expect(hints).toEqual([
      `warning: 2 of 2 texts have an empty {{ $json.name }} and were sent with the gap (first: row 1): ${said}`,
    ]);
  });

  it.each([
    ['a letter too many', 'names', true],
    ['a letter too few', 'nme', false],
    ['letters that changed places', 'nmae', true],
    ['another letter', 'nane', true],
    ['no such column', 'client', false],
  ])(
    'is refused where it is so in every row of a list, with the column that was meant: %s',
    async (_, column, isMeant) => {
      const items = ['Ann', 'Bo'].map((name) => ({ [column]: name, order: 'A1' }));
      for (const [text, source] of [
        [GREETING, '{{ $json.name }}'],
        ['=Hello {{ $input.item.json.name.trim() }}', '{{ $input.item.json.name.trim() }}'],
      ]) {
        const { error, left } = await send(sms(text), items);
        expect(error?.message).toContain(`'SMS Text' has an empty ${source}: Hello `);
        const meant = isMeant ? `The column is called "${column}". ` : '';
        expect(error?.description).toContain(`${meant}It is empty in every row. Where it may be empty, add`);
        expect(error?.description).toContain('2 of 2 rows are invalid; this is the first.');
        expect(left).toEqual([]);
      }
      const { json, left } = await send(sms(GREETING), items, { onError: 'continueRegularOutput' });
      expect(json.map(({ error }) => typeof error)).toEqual(['string', 'string']);
      expect(left).toEqual([]);
    },
  );

  it('is sent in a list of one, where one row has a value, and where each row says that it may be empty', async () => {
    for (const [text, options, items] of [
      [GREETING, {}, rows('')],
      [GREETING, {}, rows('', '', 'Bo')],
      [GREETING, { emptyPlaceholders: 'allow' }, rows('', '')],
      [
        GREETING,
        { emptyPlaceholders: '={{ $json.mode }}' },
        rows('', '').map((row) => ({ ...row, mode: 'warn' })),
      ],
      ["=Hello {{ $json.name ?? '' }}", {}, rows(null, null)],
    ] as Array<[string, IDataObject, IDataObject[]]>) {
      const { error, left } = await send(sms(text, options), items);
      expect([error, left.length]).toEqual([undefined, items.length]);
      sandbox.reset();
    }
  });

  it('names no column where the item has none that looks like it, or has the field and it is empty', async () => {
    const items = [
      { order: 'A1', surname: 'Bo' },
      { order: 'A1', name: '', Name: 'Bo' },
    ];
    const { hints } = await send(sms(GREETING, { emptyPlaceholders: 'warn' }), items);
    expect(hints).toEqual([
      'warning: 2 of 2 texts have an empty {{ $json.name }} and were sent with the gap (first: row 1)',
    ]);
  });

  it('is counted by its source, and the message is sent', async () => {
    const { error, hints, left } = await send(sms(GREETING), [
      ...rows('Ann', '', 'Bo', null),
      { order: ' ' },
    ]);
    expect(error).toBeUndefined();
    expect(left).toHaveLength(5);
    expect(hints).toEqual([
      'warning: 3 of 5 texts have an empty {{ $json.name }} and were sent with the gap (first: row 2). 1 of 5 texts has an empty {{ $json.order }} and was sent with the gap (first: row 5)',
    ]);
    expect((await send(sms(GREETING), rows(''))).hints).toEqual([
      'warning: The text has an empty {{ $json.name }} and was sent with the gap',
    ]);
    const checked = await send(sms(GREETING, { checkOnly: true }), rows('', 'Bo'));
    expect(checked.hints).toContainEqual(
      expect.stringContaining('1 of 2 texts has an empty {{ $json.name }} (first: row 1)'),
    );
  });

  it.each<[what: string, text: string, emptyPlaceholders: string, name: unknown, hints: number]>([
    [
      'is meant where an expression does more than take a value from the item',
      "=Hello {{ $json.name || '' }}{{ $json.name ? `x` : `` }}!",
      'refuse',
      null,
      0,
    ],
    ['is sent without a word where that is allowed', GREETING, 'allow', '', 0],
  ])('an empty placeholder %s', async (_, text, emptyPlaceholders, name, count) => {
    const { hints, left } = await send(sms(text, { emptyPlaceholders }), rows('', name));
    expect([hints.length, left.length]).toEqual([count, 2]);
  });

  it.each(PLACES)('has the row refused before anything leaves, in %s', async (place, form) => {
    const options = { emptyPlaceholders: 'refuse' };
    const parameters = { ...form('=Hello {{ $json.name }}!'), options };
    const { error, left } = await send(parameters, rows('Ann', ''));
    expect(error?.message).toBe(`${place} has an empty {{ $json.name }}: Hello ! [item 1]`);
    expect(error?.description).toContain('Where it may be empty, add an empty text to it');
    expect(error?.description).toContain('Nothing was sent for any row.');
    expect(left).toEqual([]);
  });

  it('is none where it leaves an optional part of a slide or of a voice stage empty, which is then not sent', async () => {
    const voice = { voiceGender: 'female', voiceLanguage: 'en-US', voiceName: 'en-US-A' };
    for (const form of [
      carousel({ button2: '={{ $json.name }}' }),
      pipeline({ channel: 'voice', ...voice, message: '={{ $json.name }}' }),
    ]) {
      for (const emptyPlaceholders of ['refuse', 'warn']) {
        const { error, hints, left } = await send({ ...form, options: { emptyPlaceholders } }, rows(''));
        expect([error, hints.filter((hint) => hint.includes('empty'))]).toEqual([undefined, []]);
        expect(left.length).toBeGreaterThan(0);
      }
    }
  });

  it('is one where other placeholders of the text have a value', async () => {
    const options = { emptyPlaceholders: 'refuse' };
    const { error } = await send(sms('={{ $json.name }}{{ $json.order }}', options), rows(''));
    expect(error?.message).toContain('has an empty {{ $json.name }}');
  });

  it('has only its row refused with On Error set to continue, and an option of its own for each row', async () => {
    const options = { emptyPlaceholders: '={{ $json.mode }}' };
    const items = rows('', '', 'Ann').map((row, i) => ({ ...row, mode: ['refuse', 'warn', 'refuse'][i] }));
    const { json, hints, left } = await send(sms(GREETING, options), items, {
      onError: 'continueRegularOutput',
    });
    expect(json.map(({ error }) => typeof error)).toEqual(['string', 'undefined', 'undefined']);
    expect(left).toHaveLength(2);
    expect(hints).toEqual([
      expect.stringContaining(
        '1 of 3 texts has an empty {{ $json.name }} and was sent with the gap (first: row 2)',
      ),
    ]);
  });

  it('is not counted in a text that had left before', async () => {
    const options = { emptyPlaceholders: 'warn', ...grouped({ sendOnceKey: '={{ $json.order }}' }) };
    const again = () => send(sms(GREETING, options), rows('', ''));
    expect((await again()).hints).toContain(
      'warning: 2 of 2 texts have an empty {{ $json.name }} and were sent with the gap (first: row 1)',
    );
    expect((await again()).hints).toEqual([expect.stringContaining('2 of 2 count as sent, nothing was sent now')]);
  });
});

describe('what is never meant for a recipient is refused', () => {
  it.each(PLACES)('it is refused in %s', async (label, form) => {
    const { error } = await send(form('=Hello {{ $json.name }}!'), rows('Ann', 'undefined'));
    expect(error?.message).toBe(`${label} contains "undefined": Hello undefined! [item 1]`);
  });

  it('it is refused with any option', async () => {
    for (const emptyPlaceholders of ['warn', 'allow', 'refuse']) {
      const parameters = sms('=Hello {{ $json.name }}!', { emptyPlaceholders });
      const { error, left } = await send(parameters, rows('Ann', { first: 'Ann' }));
      expect(error?.message).toBe(`'SMS Text' contains "[object Object]": Hello [object Object]! [item 1]`);
      expect(error?.description).toContain('It must be text in which each expression has a value.');
      expect(left).toEqual([]);
    }
  });

  it.each([
    ['=By {{ DateTime.fromISO($json.name).plus(1) }}', 'tomorrow', 'Invalid DateTime'],
    ['=Hello {{ $json.name }}', 'undefined', 'undefined'],
    ['=Hello {{ "" + $json.missing }}', '', 'undefined'],
    ['=You owe {{ ($json.name * 2).toString() }}', 'x', 'NaN'],
    ['={{ $json.name }}', 'null', 'null'],
    ['={{ 2 * $json.name }}', 'x', 'NaN'],
    ['={{ $json.name }}', 'Hello {{ first_name }}!', '{{ first_name }}'],
    ['=Hello {{ $json.name }}', '{{name}}', '{{name}}'],
    ['Hello {{ $json.name }}!', 'Ann', '{{ $json.name }}'],
    ['=Hello \\{{ $json.name }}', 'Ann', '{{ $json.name }}'],
  ])('the text %s of %j is refused for its %s', async (text, name, residue) => {
    const { error, left } = await send(sms(text, { emptyPlaceholders: 'allow' }), rows(name));
    expect(error?.message).toContain(`'SMS Text' contains "${residue}"`);
    expect(left).toEqual([]);
  });

  it.each(['Ms. Null', 'null Euro', 'Banana', '{{', '{ }', 'an object'])(
    'a name such as %s is sent',
    async (name) => {
      expect((await send(sms('=Hello {{ $json.name }}'), rows(name))).error).toBeUndefined();
    },
  );
});

it('warns of no text that an item does not send', async () => {
  const other = {
    viberType: '={{ $json.name ? "text+image+link" : "text" }}',
    viberImage: '={{ $json.name }}',
  };
  const { error, hints } = await send(
    { operation: 'sendViber', ...viberForm('text+image+link'), ...other },
    rows('', ''),
  );
  expect([error, hints.filter((hint) => hint.includes('empty'))]).toEqual([undefined, []]);
});

it('looks at senders as at texts, and not at numbers', async () => {
  const form = {
    ...sms('Hi'),
    phone: `={{ $json.name }}${PHONE.slice(1)}`,
    smsSignature: '=Test{{ $json.name }}Sender',
  };
  const { error } = await send(form, rows('', ''));
  expect(error?.message).toContain("'SMS Sender' has an empty {{ $json.name }}: TestSender");
  expect((await send({ ...form, smsSignature: 'TestSender' }, rows('', ''))).hints).toEqual([]);
});

it('looks at links and pictures as at texts', async () => {
  const url = '=https://example.com/{{ $json.name }}';
  expect((await send(carousel({ url, image: url }), rows('a', ''))).hints).toEqual([
    'warning: 1 of 2 texts has an empty {{ $json.name }} and was sent with the gap (first: row 2)',
  ]);
});

it('leaves the texts of templates as they are', async () => {
  const template = '=Hi {{ $json.name }} {{ $json.text }}';
  const parameters = { resource: 'smsTemplate', operation: 'create', template };
  const { error, hints } = await send(parameters, [{ text: '{{ x }}' }]);
  expect([error, hints]).toEqual([undefined, []]);
});

it.each([
  ['emptyPlaceholders', 'block', "'Gaps in Texts' must be warn, refuse or allow, not block"],
  [
    'shortenSms',
    ['punctuation', 'emoji'],
    "'Avoid Expensive Characters' must be a list of punctuation, transliterate and accents",
  ],
  [
    'shortenSms',
    { way: 'punctuation' },
    "'Avoid Expensive Characters' must be a list of punctuation, transliterate and accents",
  ],
])('refuses %s of %j', async (option, value, message) => {
  const items = [{ value } as IDataObject];
  const { error, left } = await send(sms('Hello', { [option]: '={{ $json.value }}' }), items);
  expect([error?.message, left]).toEqual([message, []]);
});

describe('an SMS', () => {
  const long = (character: string) => `${'a'.repeat(100)}${character}`;

  it('says below the output that it is more than three parts', async () => {
    const texts = ['a'.repeat(459), 'a'.repeat(460), 'a'.repeat(900)].map((text) => ({ text }));
    const { hints } = await send(sms('={{ $json.text }}'), texts);
    expect(hints).toEqual(['warning: 2 of 3 texts are billed as more than 3 SMS parts, up to 6']);
    expect((await send(sms('={{ $json.text }}'), texts.slice(2))).hints).toEqual([
      'warning: The text is billed as 6 SMS parts',
    ]);
  });

  it('is shortened as the option says, also in a fallback and in a pipeline', async () => {
    const options = { shortenSms: ['punctuation'] };
    const text = '={{ $json.text }}';
    const items = [{ text: long('’') }];
    const fallback = {
      ...viberForm('text'),
      ...sms(text, options),
      operation: 'sendViberSms',
      viberMessage: text,
    };
    await send(sms(text, options), items);
    await send(fallback, items);
    const { left } = await send({ ...pipeline({ message: text }), options }, items);
    const texts = left.map((one) => one.sms_message ?? (one.sms as IDataObject).message);
    expect(texts).toEqual(Array(3).fill(long("'")));
    expect(left[1].viber_message).toBe(long('’'));
  });

  it('is shown before and after by Check Only, with the parts of both', async () => {
    const options = { checkOnly: true, shortenSms: ['punctuation', 'transliterate'] };
    const items = [{ text: long('’') }, { text: 'Ціна – 5' }];
    const { json } = await send(sms('={{ $json.text }}', options), items);
    expect(json[0]).toMatchObject({
      operation: { sms_message: long("'") },
      ...{ parts: 1, encoding: 'GSM-7' },
      ...{ text_before: long('’'), parts_before: 2, encoding_before: 'UCS-2' },
    });
    expect(json[1]).toMatchObject({ operation: { sms_message: 'Ціна – 5' }, parts: 1 });
    expect(json[1]).not.toHaveProperty('text_before');
  });

  it.each<[texts: string[], sum: string]>([
    [['Hello'], '1 message, 1 SMS part'],
    [[long('’')], '1 message, 2 SMS parts, some because of ’'],
    [
      [long('’'), long('’–'), 'a'.repeat(200) + '\u00a0'],
      '3 messages, 7 SMS parts, some because of ’, – and U+00A0',
    ],
    [[long('є'), long('Ї')], '2 messages, 4 SMS parts, some because of Cyrillic letters'],
  ])('is counted by Check Only: %#', async (texts, sum) => {
    const items = texts.map((text) => ({ text }));
    const { hints } = await send(sms('={{ $json.text }}', { checkOnly: true }), items);
    expect(hints).toEqual([`info: ${sum}. Nothing was sent: 'Check Only' is on`]);
  });

  it('is not counted where the message is none', async () => {
    const viber = { operation: 'sendViber', ...viberForm('text'), options: { checkOnly: true } };
    expect((await send(viber, [{}, {}])).hints[0]).toMatch(/^info: 2 messages\. /);
  });
});
