import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { callingCodes } from '../../../tools/build/calling-codes.mts';

const { path, text } = callingCodes();
const committed = readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

describe('the table of calling codes', () => {
  it('is what `node tools/calling-codes.mts` makes of the installed library', () => {
    expect(committed).toBe(text);
  });

  it.each([
    ['1:7,10', 'what the regions that share a code have, together'],
    ['44(0):7,9-10', 'a 0 that is only dialled at home'],
    ['39:6-12', 'no such 0'],
    ['800:8', 'a code of no country'],
    ['883:8-12', 'a code of no country'],
  ])('has %p: %s', (line) => {
    expect(text.split(/\s/)).toContain(line);
  });

  it('stays small enough to ship', () => {
    expect(text.length).toBeLessThan(5000);
  });
});
