/** docs/gateway-api.md: that its tables say what the code does, and that what cites it names headings that it has. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { callbackSchema } from '../../../nodes/gateway/contract/callback.ts';
import * as channels from '../../../nodes/gateway/contract/channels.ts';
import { ENDPOINT_PATHS } from '../../../nodes/gateway/contract/envelope.ts';
import {
  CAROUSEL_SLIDES,
  LIFETIME_LIMITS,
  type LifetimeField,
  OTP_DIGITS,
} from '../../../nodes/gateway/contract/wire-fields.ts';
import * as operations from '../../../nodes/gateway/contract/operations.ts';
import * as wireFields from '../../../nodes/gateway/contract/wire-fields.ts';
import { outcomeOfStatus } from '../../../nodes/gateway/delivery/outcomes.ts';
import { findTextEntry } from '../../../nodes/gateway/errors/catalogue.ts';
import { STATUS_ENTRIES, TEXT_ENTRIES } from '../../../nodes/gateway/errors/entries.ts';
import { LONGEST_VALUE } from '../../../nodes/gateway/text/gate.ts';
import { SEND_SHAPES } from '../../../sandbox/operations/fields.mts';
import { contractTables } from '../../../tools/build/contract-tables.mts';
import { operationOf, optionalFields } from '../../support/contract-samples.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs/gateway-api.md'), 'utf8');
const SECTIONS = new Map(
  PAGE.split(/^#+ /m).map((section) => [section.split('\n', 1)[0], section.slice(section.indexOf('\n'))]),
);
const { WIRE_TYPES } = operations;

/** The rows of the last table of a section, without its heads. */
function rowsOf(heading: string): string[][] {
  const [rows] = SECTIONS.get(heading)!
    .match(/(?:^\|.*\n)+/gm)!
    .slice(-1);
  const cells = rows
    .trim()
    .split('\n')
    .map((row) =>
      row
        .slice(2, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  return cells.slice(2);
}

/** The names in a cell, as code. */
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

it('has a table in each section that is generated', () => {
  const generated = Object.keys(contractTables({ ...channels, ...operations, ...wireFields }));
  expect(generated.map((heading) => rowsOf(heading).length > 4)).toEqual([true, true, true]);
});

it('lists every field of an operation once, with a type that its check accepts, and no other type', () => {
  const OBJECT = { message: '1234', signature: 'a', type: 'text', gender: 'male', language: 'en', name: 'b' };
  const SLIDE = { caption: 'a', image: 'https://a.example', url: 'https://a.example', button: 'b' };
  const strings = Object.keys(SEND_SHAPES)
    .flatMap((type) => Object.values(operationOf(type, undefined, optionalFields(type))))
    .filter((value) => typeof value === 'string');
  const samples: Record<string, unknown[]> = {
    string: strings,
    number: [4000, 380501234567],
    boolean: [true],
    object: [OBJECT],
    array: [['sms'], [SLIDE, SLIDE]],
  };
  const rows = rowsOf('Fields').map(([name, type]) => [namesIn(name)[0], type] as const);
  const stages = rowsOf('Nested objects').flatMap(([name]) =>
    name.endsWith('of a pipeline') ? namesIn(name) : [],
  );
  // The voice of a call has the same name as that of a pipeline.
  const fields = [...rows.map(([field]) => field), ...stages.filter((name) => name !== 'voice')];
  expect(fields.sort()).toEqual(Object.keys(wireFields.FIELD_SCHEMAS).sort());
  for (const [field, stated] of rows) {
    const accepts = (value: unknown) =>
      wireFields.FIELD_SCHEMAS[field as wireFields.WireField].safeParse(value).success;
    const accepted = Object.keys(samples).filter((type) => samples[type].some(accepts));
    expect([field, accepted]).toEqual([field, [stated]]);
  }
});

it('has the limits and defaults of the code', () => {
  const seconds = (value?: number) => (value === undefined ? '' : `${value} s`);
  const rows = new Map(rowsOf('Limits').map(([name, ...cells]) => [name.replaceAll('`', ''), cells]));
  for (const [field, { min, max, default: normal }] of Object.entries(LIFETIME_LIMITS)) {
    const [appliesTo, ...limits] = rows.get(field)!;
    const types = WIRE_TYPES.filter((type) => operations.hasField(type, field as LifetimeField));
    expect(namesIn(appliesTo)).toEqual(types);
    expect(limits).toEqual([seconds(min), seconds(max), seconds(normal)]);
  }
  const longest = LONGEST_VALUE.text.toLocaleString('en');
  expect(SECTIONS.get('What the contract leaves open')).toContain(`A text has ${longest} characters at most`);
  expect(rows.get('slides')!.slice(1, 3)).toEqual([`${CAROUSEL_SLIDES.min}`, `${CAROUSEL_SLIDES.max}`]);
  expect(rows.get('digits')!.slice(1, 3)).toEqual([`${OTP_DIGITS.min}`, `${OTP_DIGITS.max}`]);
});

it('has the addresses and the fields of callbacks as the code has them', () => {
  for (const path of Object.values(ENDPOINT_PATHS)) expect(SECTIONS.get('Addresses')).toContain(`}${path}\``);
  const fields = rowsOf('Callback fields').map(([name]) => namesIn(name)[0]);
  expect(fields).toEqual(Object.keys(callbackSchema.shape));
  const required = rowsOf('Callback fields').filter(([, type]) => type.endsWith('required'));
  expect(required.map(([name]) => name)).toEqual(['`success`']);
});

it('gives each status its outcome, and has all of them', () => {
  const rows = rowsOf('Statuses').flatMap(([outcome, statuses]) =>
    namesIn(statuses).map((status) => [status, namesIn(outcome)[0]]),
  );
  expect(rows.map(([status]) => [status, outcomeOfStatus(status)])).toEqual(rows);
  const source = readFileSync(join(ROOT, 'nodes/gateway/delivery/outcomes.ts'), 'utf8');
  expect(rows).toHaveLength(source.match(/^ {2}\S.*: '\w+',$/gm)!.length);
});

it('lists the errors that the catalogue explains first', () => {
  const rows = rowsOf('Refusals').map(([error, refused]) => [namesIn(error)[0], refused] as const);
  const errors = rows.map(([error]) => error);
  const entries = new Set(errors.map((error) => findTextEntry(error)));
  expect(entries.size).toBe(errors.length);
  expect(entries).toEqual(new Set(TEXT_ENTRIES.slice(0, errors.length)));
});

it('names the HTTP codes behind which nobody takes anything', () => {
  const [, reading] = rowsOf('What the contract leaves open').find(([open]) =>
    open.startsWith('HTTP codes'),
  )!;
  const [, codes = ''] = /([\d, and]+) say that nobody there takes anything/.exec(reading) ?? [];
  const closed = Object.entries(STATUS_ENTRIES).filter(([, { request }]) => request === 'closed');
  expect(codes.match(/\d+/g)).toEqual(closed.map(([code]) => code));
});

it('has every heading by which it is cited', () => {
  const files = ['nodes', 'sandbox', 'test', 'tools', 'docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(m?ts|js|md)$/.test(path) && !/node_modules|contract-page\.test/.test(path))
      .map((path) => join(folder, path)),
  );
  const citations = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\n\s*(\*|\/\/) /g, ' ');
    // Whatever follows a comma or a colon has to be a heading in quotes, or several.
    const found = text.matchAll(/gateway-api\.md(?:[,:]|(?= "))((?:[,;]?(?: and)? "[^"]+")*)/g);
    return [...found].map(([, list]) => ({
      file,
      headings: [...list.matchAll(/"([^"]+)"/g)].map(([, one]) => one),
    }));
  });
  expect(citations.length).toBeGreaterThan(60);
  const wrong = citations.filter(
    ({ headings }) => headings.length === 0 || headings.some((heading) => !SECTIONS.has(heading)),
  );
  expect(wrong).toEqual([]);
});
