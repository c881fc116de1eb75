/**
 * Texts that cost more SMS parts because of a few characters. `input.text` stands in a text that would be one part in the GSM
 * alphabet, `input.ways` is the option 'Avoid Expensive Characters'. Right is the text that leaves.
 */
import type { ShorteningWay } from '../../nodes/gateway/sms/shorten.ts';
import type { Case } from './case.mts';

interface SmsInput {
  text: string;
  ways: readonly ShorteningWay[];
}

type SmsCase = Case<SmsInput, string>;

const accents = (text: string, right: string, why?: string): SmsCase => ({
  input: { text, ways: ['accents'] },
  right,
  ...(why !== undefined && { why }),
});
const punctuation = (text: string, right: string, why?: string): SmsCase => ({
  input: { text, ways: ['punctuation'] },
  right,
  ...(why !== undefined && { why }),
});

export const SMS_TEXTS: readonly SmsCase[] = [
  { ...accents('Zażółć gęślą jaźń', 'Zazolc gesla jazn', 'Polish'), source: 'SimpleMobileTools#29' },
  accents('ŁÓDŹ, Łódź', 'LODZ, Lodz'),
  accents('şğıİĞŞ çÇöü', 'sgiIGS cÇöü', 'Turkish; the alphabet has the capital with a cedilla'),
  accents('Información útil: ¿mañana? ¡Sí!', 'Informacion util: ¿mañana? ¡Si!', 'Spanish'),
  accents('ação não põe à mãe', 'acao nao poe à mae', 'Portuguese'),
  accents(
    'Árvíztűrő tükörfúrógép',
    'Arvizt\u00fcr\u00f6 tükörfurogép',
    'Hungarian: ű and ő have near letters',
  ),
  accents('Příliš žluťoučký kůň', 'Prilis zlutoucky kun', 'Czech'),
  accents('Știri și țări, Ţară', 'Stiri si tari, Tara', 'Romanian, with commas and with cedillas'),
  accents('Đặng Thị Hằng, ươ', 'Dang Thi Hang, uo', 'Vietnamese'),
  accents('Œuvre, cœur, ŒUVRE, çà', 'Oeuvre, coeur, OEUVRE, cà', 'French'),
  accents('Þór, Guð, Æsa', 'Thor, Gud, Æsa', 'Icelandic'),
  accents('Čđšž Ķ ļ ņ ģ ė į ų', 'Cdsz K l n g e i u'),
  accents('Bakı Gəncə', 'Baki Gence', 'Azerbaijani'),
  accents('Καλημέρα, η παραγγελία σας', 'KAΛHMEPA, H ΠAPAΓΓEΛIA ΣAΣ', 'Greek, in capitals'),
  accents('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ ΐΰ ς', 'ABEZHIKMNOPTYX IY Σ'),
  accents('e\u0301 o\u0328 x\u0323\u0301', 'é o x', 'letters taken apart'),
  accents('äöñüàèéùìò ß Å å Ø ø Æ æ Ç', 'äöñüàèéùìò ß Å å Ø ø Æ æ Ç', 'the alphabet has these'),
  accents('’', '’', 'no letter'),
  accents('й', 'й', 'Cyrillic is for Transliterate'),

  punctuation('a ʺb ❝c❞ 〝d〞', 'a "b "c" "d"'),
  punctuation('wow！ ５０％', 'wow! 50%', 'full-width'),
  punctuation('½ h, 1½ h, 8 ÷ 2', '1/2 h, 1 1/2 h, 8 / 2'),
  punctuation('ﬁne, ﬂow', 'fine, flow', 'ligatures'),
  punctuation('X® Y™ Z©', 'X(R) Y(TM) Z(C)'),
  punctuation('▪ one\n● two\n■ three ◦ four', '- one\n- two\n- three - four'),
  punctuation('5 − 3 · 2', '5 - 3 - 2'),
  punctuation('Mit besten Grüßen\u200c', 'Mit besten Grüßen', 'a joiner that does nothing'),
  { input: { text: 'L’été à Łódź…', ways: ['punctuation', 'accents'] }, right: "L'été à Lodz..." },
  {
    input: { text: '“Łódź” та Згода', ways: ['punctuation', 'transliterate', 'accents'] },
    right: '"Lodz" ta Zghoda',
  },
];
