/**
 * Answers of gateways to one send, as the body of the HTTP answer. Right is 'accepted' where the gateway says plainly that it
 * took the message (as 9000), 'unknown' where nobody can tell, else the reason of the refusal, which reaches the user.
 */
import type { Case } from './case.mts';

type AnswerCase = Case<string, 'accepted' | 'unknown' | { refused: string }>;

const ITEM = '{"success":true,"data":{"msg_id":9000,"parts":1}}';
const TAKEN = `{"success":true,"data":[${ITEM}]}`;
const WARNING =
  '<br />\n<b>Warning</b>:  Undefined array key "x" in <b>/var/www/api/json.php</b> on line <b>3</b><br />\n';

const refusedWith = (error: string): string => `{"success":true,"data":[{"success":false,"error":${error}}]}`;

export const ANSWERS: readonly AnswerCase[] = [
  { input: TAKEN, right: 'accepted' },
  { input: `\ufeff${TAKEN}`, right: 'accepted', source: 'guzzle/guzzle#421' },
  { input: `\ufeff\ufeff${TAKEN}`, right: 'accepted', why: 'two files with a mark each' },
  { input: `\n\n${TAKEN}\n`, right: 'accepted' },
  { input: WARNING + TAKEN, right: 'unknown', why: 'no JSON as a whole', source: 'ampproject/amp-wp#4678' },
  {
    input: `${TAKEN}\n<!-- cached 2026-01-02 -->`,
    right: 'unknown',
    why: 'no JSON as a whole',
    source: 'ampproject/amp-wp#4678',
  },
  { input: TAKEN + TAKEN, right: 'unknown', why: 'two values' },
  { input: `<html><body><script>x=${TAKEN}</script></body></html>`, right: 'unknown', why: 'a web page' },
  { input: TAKEN.slice(0, -1), right: 'unknown', why: 'cut off' },
  { input: `{"answer":${TAKEN}`, right: 'unknown', why: 'cut off' },
  { input: `{"cost":NaN,"answer":${TAKEN}}`, right: 'unknown', why: 'no JSON as a whole' },
  { input: TAKEN.replaceAll('true', '"true"'), right: 'accepted' },
  { input: TAKEN.replaceAll('true', '"1"'), right: 'accepted' },
  { input: TAKEN.replaceAll('true', '1'), right: 'accepted' },
  { input: TAKEN.replaceAll('true', '"yes"'), right: 'unknown' },
  { input: `{"success":true,"data":{"0":${ITEM}}}`, right: 'accepted', source: 'edamov/pushok#82' },
  { input: `{"success":true,"data":{"1":${ITEM}}}`, right: 'accepted' },
  {
    input: `{"success":true,"data":{"7":${ITEM}}}`,
    right: 'unknown',
    why: 'a place that the request did not have',
  },
  { input: TAKEN.replace('"data"', '"error":"","data"'), right: 'accepted' },
  { input: TAKEN.replace('"data"', '"error":[],"data"'), right: 'accepted' },
  { input: refusedWith('"Error in Alpha-name"'), right: { refused: 'Error in Alpha-name' } },
  {
    input: refusedWith('{"code":5,"message":"Error in Alpha-name"}'),
    right: { refused: '{"code":5,"message":"Error in Alpha-name"}' },
  },
  {
    input: refusedWith('{"phone":["must be a number"]}'),
    right: { refused: '{"phone":["must be a number"]}' },
  },
  { input: refusedWith('5'), right: { refused: '5' } },
  { input: refusedWith('true'), right: { refused: 'gave no reason' } },
  { input: refusedWith('["a","b"]'), right: { refused: '["a","b"]' } },
];
