/** SMS in fewer parts: what each character becomes, and that nothing is changed in vain. */
import fc from '../../support/generated.mts';

import {
  SHORTENING_WAYS,
  type ShorteningWay,
  shortenSms,
  withoutAccents,
} from '../../../nodes/gateway/sms/shorten.ts';
import { costlyCharacters, isInGsm, measureSms } from '../../../nodes/gateway/sms/segments.ts';
import { titled } from '../../corpus/case.mts';
import { SMS_TEXTS } from '../../corpus/sms-texts.mts';

const ALL: readonly ShorteningWay[] = SHORTENING_WAYS;
const PADDING = ` ${'a'.repeat(80)}`;

/** A text in Latin letters: padding makes it more parts than in plain characters. */
const written = (text: string, ways: readonly ShorteningWay[] = ALL) => {
  const short = shortenSms(text + PADDING, ways);
  expect(short.endsWith(PADDING)).toBe(true);
  return short.slice(0, -PADDING.length);
};

describe('the table for Ukrainian (resolution No. 55 of 27 January 2010)', () => {
  /** One of the examples of the resolution for each letter and place of it. */
  const EXAMPLES = `
    Алушта Alushta, Борщагівка Borshchahivka, Вінниця Vinnytsia, Гадяч Hadiach, Ґалаґан Galagan,
    Донецьк Donetsk, Рівне Rivne, Есмань Esman, Єнакієве Yenakiieve, Короп'є Koropie, Житомир Zhytomyr,
    Закарпаття Zakarpattia, Медвин Medvyn, Іванків Ivankiv, Їжакевич Yizhakevych, Кадиївка Kadyivka,
    Йосипівка Yosypivka, Стрий Stryi, Київ Kyiv, Лебедин Lebedyn, Миколаїв Mykolaiv, Ніжин Nizhyn,
    Одеса Odesa, Полтава Poltava, Решетилівка Reshetylivka, Суми Sumy, Тернопіль Ternopil,
    Ужгород Uzhhorod, Фастів Fastiv, Харків Kharkiv, Біла-Церква Bila-Tserkva, Чернівці Chernivtsi,
    Шостка Shostka, Щербухи Shcherbukhy, Юрій Yurii, Корюківка Koriukivka, Яготин Yahotyn,
    Костянтин Kostiantyn, Знам'янка Znamianka, Феодосія Feodosiia, Розгон Rozghon`;

  it('writes each letter as the resolution does', () => {
    const pairs = EXAMPLES.trim()
      .split(/,\s+/)
      .map((pair) => pair.split(' '));
    expect(pairs).toHaveLength(41);
    expect(pairs.map(([cyrillic]) => [cyrillic, written(cyrillic)])).toEqual(pairs);
  });

  it('keeps capitals, also where one letter becomes several', () => {
    expect(written('ЩОДНЯ, Щодня, ще. ЗГОДА. Я ТУТ, Я тут. ЄЄ Є. ОБ’ЄКТ')).toBe(
      'SHCHODNIA, Shchodnia, shche. ZGHODA. Ya TUT, Ya tut. YEIE Ye. OBIEKT',
    );
    expect(written('маЯ МАЯ')).toBe('maIa MAIA');
  });

  it('takes letters with marks of their own, apostrophes of every kind, and stress', () => {
    expect(written('ї'.normalize('NFD') + 'жа' + 'й'.normalize('NFD'))).toBe('yizhai');
    for (const apostrophe of "'’ʼ`´")
      expect(written(`м${apostrophe}яч і п${apostrophe}ять`)).toBe('miach i piat');
    expect(written('за́мок і замо́к')).toBe('zamok i zamok');
    expect(written("'слово' і 'м'")).toBe("'slovo' i 'm'");
  });
});

describe('the table for other texts (ICAO Doc 9303)', () => {
  it('is for all but texts that may be Ukrainian', () => {
    const cyrillic = 'Щёлково, объезд, Мытищи, Эльвира, Юлия, подъезд';
    expect(written(cyrillic)).toBe('Shchelkovo, obieezd, Mytishchi, Elvira, Iuliia, podieezd');
    expect(written('Џакић, љубав, њој')).toBe('Dzakic, ljubav, njoj');
    expect(['где ты', 'где', 'годы, і'].map((text) => written(text))).toEqual(['gde ty', 'hde', 'hody, i']);
  });

  it('leaves letters that it lacks, and with them the text', () => {
    const text = `Қазақстан${PADDING}`;
    expect(shortenSms(text, ALL)).toBe(text);
  });
});

it('writes punctuation with characters of the GSM alphabet', () => {
  const from =
    '‘a’ ‚b‛ “c” „d‟ «e» ‹f› 5–6—7−8‑9 g… • h 2×3 №4 i\u00a0j\u2009k\u202fl\tm n\u200bo\ufeffp\u00adq r\u200ds\u2028t';
  expect(written(from, ['punctuation'])).toBe(
    '\'a\' \'b\' "c" "d" "e" \'f\' 5-6-7-8-9 g... - h 2x3 No.4 i j k l m nopq rs\nt',
  );
});

it.each(titled(SMS_TEXTS))('shortens as its readers would: %s', (_, { input: { text, ways }, right }) => {
  expect(written(text, ways)).toBe(right);
});

it('writes every letter of Latin scripts and Greek that it changes with the GSM alphabet, and leaves the others', () => {
  let changed = 0;
  for (let code = 0x80; code < 0x2000; code++) {
    const letter = String.fromCodePoint(code);
    if (!/\p{L}/u.test(letter)) continue;
    const plain = withoutAccents(letter);
    if (plain === letter) continue;
    changed += 1;
    expect([letter, isInGsm(plain), isInGsm(letter)]).toEqual([letter, true, false]);
    expect([letter, plain.length <= 3]).toEqual([letter, true]);
  }
  expect(changed).toBeGreaterThan(800);
});

it('changes only what it was asked to change', () => {
  expect(written('Згода', ['transliterate'])).toBe('Zghoda');
  // No way alone would save a part.
  expect(written('“Згода”')).toBe('"Zghoda"');
  expect(written('“Згода”', ['transliterate', 'punctuation'])).toBe('"Zghoda"');
  expect(written('Згода Łódź', ['transliterate', 'accents'])).toBe('Zghoda Lodz');
  expect(written('’', ['transliterate'])).toBe('’');
  expect(written('’', [])).toBe('’');
});

it('leaves a text that would have as many parts, or of which nothing would be left', () => {
  const text = `Ціна – 5 ${'ц'.repeat(80)}`;
  for (const ways of [['punctuation'], ALL] as const) expect(shortenSms(text, ways)).toBe(text);
  expect(shortenSms('\u200b'.repeat(80), ALL)).toBe('\u200b'.repeat(80));
});

it('prefers to change less, where several ways save as much', () => {
  const family = '👨\u200d👩';
  expect(shortenSms(`${family}${'x'.repeat(60)} “а”\u200b\u200b`, ALL)).toBe(
    `${family}${'x'.repeat(60)} "а"`,
  );
});

const character = fc.oneof(
  { weight: 50, arbitrary: fc.constantFrom(...'абвгґєіїйьщюяыъэё АЄЩЮ ’“–… \u00a0\u200b€[óżőΑλœ½') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
);
const texts = fc
  .tuple(fc.array(character, { maxLength: 200 }), fc.nat(160))
  .map(([some, count]) => some.join('') + 'a'.repeat(count));

it('makes a text fewer parts, or leaves it as it is', () => {
  let all = 0;
  let shorter = 0;
  fc.assert(
    fc.property(texts, fc.subarray([...SHORTENING_WAYS]), (text, ways) => {
      all += 1;
      const short = shortenSms(text, ways);
      if (short === text) return;
      shorter += 1;
      expect(measureSms(short).segments).toBeLessThan(measureSms(text).segments);
      expect(measureSms(short).segments).toBeGreaterThan(0);
      // Once is enough.
      expect(measureSms(shortenSms(short, ways)).segments).toBe(measureSms(short).segments);
    }),
    { numRuns: 3000, seed: 20 },
  );
  expect(shorter / all).toBeGreaterThan(0.05);
});

/** What is clicked, typed or filled in, with letters that each way would change. */
const inName = fc.string({ unit: fc.constantFrom(...'abz09абїщüőłΑ–’…й'), minLength: 1, maxLength: 8 });
const name = fc.tuple(fc.constantFrom(...'aзłΑ'), inName).map((both) => both.join(''));
const ending = fc.constantFrom('укр', 'рф', 'УКР', 'com', 'рус', 'ελ', 'pl');
const domain = fc.tuple(name, ending).map(([label, end]) => `${label.replace(/[–’…]/g, '-')}ї.${end}`);
const path = fc.string({ unit: fc.constantFrom(...'aщłі–’“№…½®/?=&%#_~й.'), maxLength: 20 });
const exact = fc.oneof(
  fc
    .tuple(fc.constantFrom('https://', 'HTTP://', 'viber://'), domain, path)
    .map((all) => `${all[0]}${all[1]}/${all[2]}`),
  fc.tuple(domain, path).map((both) => both.join('/')),
  domain,
  fc.tuple(name, domain).map((both) => both.join('@')),
  name.map((word) => `@${word}`),
  name.map((word) => `%${word}%`),
  fc.tuple(name, name).map(([first, second]) => `{${first} ${second}}`),
  fc.tuple(domain, name).map(([host, word]) => `https://${host}/{${word} ї}/ї`),
);

it('leaves links, domains, addresses of e-mail and placeholders to the letter, and shortens the rest', () => {
  const letters = fc.constantFrom('’', '“ї”', 'щ', 'Łódź', '…', '\u00a0', 'e\u0301', 'вул.Шевченка');
  let shorter = 0;
  fc.assert(
    fc.property(
      exact,
      fc.array(letters, { minLength: 1 }),
      fc.constantFrom(' ', '\n', '\u00a0'),
      (piece, some, blank) => {
        const text = `${some.join(' ')}${blank}${piece} ${some.join('')} ${'a'.repeat(150)}`;
        const short = shortenSms(text, ALL);
        expect(short.split(/\s/).join(' ')).toContain(` ${piece} `);
        if (short !== text) shorter += 1;
        else if (isInGsm(piece)) throw new Error(`left as it is: ${text}`);
      },
    ),
    { numRuns: 2000 },
  );
  expect(shorter).toBeGreaterThan(50);
});

it.each([
  ['https://shop.example/замовлення/17'],
  ['https://магазин.укр/z/17'],
  ['https://shop.example/a–b?q=№7…x'],
  ['магазин.укр'],
  ['МАГАЗИН.УКР/z'],
  ['пошта@скринька.укр'],
  ['%ім’я%'],
  ['{ім’я клієнта}'],
  ['cafe\u0301.example/cafe\u0301'],
])('changes nothing of %s', (piece) => {
  const text = `Łódź “${'a'.repeat(170)}” ${piece} дуже’`;
  expect(shortenSms(text, ALL)).toContain(` ${piece} `);
});

it('shortens what stands around a link in plain characters', () =>
  expect(written('Згода – https://a.example/1?b=c, “й” вул.Шевченка')).toBe(
    'Zghoda - https://a.example/1?b=c, "y" vul.Shevchenka',
  ));

it('leaves a text that is longer than any SMS', () => {
  const text = '’'.repeat(10_001);
  expect(shortenSms(text, ALL)).toBe(text);
  expect(shortenSms(text.slice(1), ALL)).toBe("'".repeat(10_000));
});

describe('the characters that cost parts', () => {
  it.each([
    ['a'.repeat(161), []],
    ['’', []],
    [`${'a'.repeat(70)}’`, ['’']],
    [`–${'a'.repeat(80)}’–`, ['–', '’']],
    [`${'a'.repeat(400)}😀`, ['😀']],
    // In plain characters it has as many parts: each of these counts twice.
    [`${'€'.repeat(100)}’`, []],
  ])('those of %s are found', (text, costly) => expect(costlyCharacters(text)).toEqual(costly));
});

it.each(['ЛІТО2026', 'ЛІТО-2026', '20ЛІТО', 'Łódź7'])('leaves the code %s as it is', (code) =>
  expect(shortenSms(`${'а'.repeat(80)} ${code}`, ALL)).toContain(` ${code}`),
);

it('writes a unit behind a number in Latin letters', () => expect(written('100грн')).toBe('100hrn'));
