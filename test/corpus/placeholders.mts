/**
 * Placeholders as n8n's editor, its docs and people write them: `input` is the code between the braces. It takes a value from FILLED
 * and comes to nothing of each of EMPTY, in texts and in keys. Right is what
 * that is: `empty`, the word that is left over, or an expression that n8n itself refuses.
 */
import type { Case } from './case.mts';

type PlaceholderCase = Case<string, 'empty' | 'undefined' | 'refusedByN8n'>;

/** An item with a value at each place; the node that gives it is called Source. */
export const FILLED = {
  name: 'Anna',
  'first name': 'Anna',
  "Client's name": 'Anna',
  größe: 'XL',
  "ім'я": 'Анна',
  customer: { name: 'Anna', contact: { name: 'Anna' } },
  lines: [{ name: 'Anna', order: 'A1' }],
  tags: ['Anna'],
  price: 5,
  when: '2030-01-02T10:00:00Z',
};

const each = (inputs: string[], why: string, right: PlaceholderCase['right'] = 'empty'): PlaceholderCase[] =>
  inputs.map((input) => ({ input, right, why }));

export const PLACEHOLDERS: readonly PlaceholderCase[] = [
  ...each(
    [' $json.name ', '$json.name', "$json['name']", ' $json["name"] ', "$json['first name']"],
    'a column',
  ),
  ...each(
    [' $json.größe ', ' $json["ім\'я"] ', "$json['ім\\'я']", "$json['Client\\'s name']"],
    'its letters',
  ),
  ...each(
    ['$json.customer.name', "$json['customer']['name']", '$json.customer.contact.name'],
    'a field of a field',
  ),
  ...each(['$json.lines[0].name', "$json['lines'][0]['order']", '$json.tags[0]'], 'an entry of a list'),
  ...each(
    ['$json?.name', '$json.customer?.name', '$json?.customer?.contact?.name', '$json.lines?.[0]?.name'],
    'optional chaining',
  ),
  ...each(
    [
      "$('Source').item.json.name",
      "$('Source').item.json['first name']",
      "$('Source').first().json.lines[0].order",
      "$('Source').last().json.name",
      "$('Source').all()[0].json.name",
      "$('Source').itemMatching(0).json.name",
      '$node["Source"].json.name',
      '$node["Source"].json["name"]',
      '$node.Source.json.name',
      '$items("Source")[0].json.name',
    ],
    'of another node',
  ),
  ...each(['$input.item.json.name', '$input.first().json.name', '$input.all()[0].json.name'], 'of the input'),
  ...each(
    [
      '$json.name.trim()',
      '$json.name.toUpperCase()',
      '$json.name?.trim()',
      "$json.name.replace('Ms. ', '')",
      '$json.customer.name.split(" ")[0]',
      "$json.tags.join('')",
      '$json.lines.map((line) => line.name)[0]',
      '$jmespath($json, "customer.name")',
    ],
    'within functions',
  ),
  ...each(
    [
      '$json.name || $json.nick',
      '$json.name ?? $json.nick',
      '$json.name ? $json.name : $json.nick',
      '$ifEmpty($json.name, $json.nick)',
      '$if($json.name, $json.name, $json.nick)',
      "$if($json.name !== '', $json.name, $json.nick)",
      '(() => $json.name)()',
    ],
    'another in its place',
  ),
  ...each(['$json.name.toTitleCase()'], "a function of n8n's own", 'refusedByN8n'),
  ...each(['$json.price * 2'], 'n8n leaves nothing of NaN in a text'),
  ...each(['`${$json.name}`', 'String($json.name)'], 'of a missing value', 'undefined'),
];

/** Items without any of these values. */
export const EMPTY = {
  'no columns': {},
  'other columns': { phone: 'x', customer: null, lines: [], tags: [] },
};
