/**
 * Writes the table of the time zones of countries anew; needed after an update of countries-and-timezones.
 *
 * Usage: node tools/country-zones.mts (Node 24)
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import countries from 'countries-and-timezones';
import { IANAZone } from 'luxon';

import { ROOT } from './paths.mts';

const HEADER = `/**
 * The countries in which all clocks show the same time, by their ISO codes, with a time zone that they keep.
 *
 * Generated from countries-and-timezones by \`node tools/country-zones.mts\`; changes by hand are lost.
 */
`;

/** Clocks are compared from here on, for ten years: what was different before doesn't matter to what is sent. */
const FROM = Date.UTC(2026, 0, 1);
const WEEKS = 10 * 52;
const WEEK_MS = 7 * 86_400_000;

/**
 * Zones that say nothing of the numbers of a country. Numbers of Ukraine don't work in Crimea, whose phones have numbers
 * with +7 since 2015.
 */
const WITHOUT_NUMBERS: Record<string, string[]> = { UA: ['Europe/Simferopol'] };

/** The table as it is committed. */
export function countryZones(): string {
  const lines = Object.values(countries.getAllCountries())
    .flatMap(({ id }) => {
      const zone = onlyZoneOf(id);
      return zone === undefined ? [] : `${id} ${zone}`;
    })
    .sort();
  return `${HEADER}export const COUNTRY_ZONES = \`\n${lines.join('\n')}\n\`;\n`;
}

/** A zone that all clocks of a country keep; undefined where they show different times. */
function onlyZoneOf(id: string): string | undefined {
  const zones = (countries.getTimezonesForCountry(id) ?? []).filter(
    ({ name }) => !WITHOUT_NUMBERS[id]?.includes(name) && IANAZone.isValidZone(name),
  );
  if (new Set(zones.map(({ name }) => clockOf(name))).size !== 1) return undefined;
  // The name that belongs to no other country says most.
  return (zones.find((zone) => zone.countries.length === 1 && !zone.deprecated) ?? zones[0]).name;
}

function clockOf(name: string): string {
  const zone = IANAZone.create(name);
  return Array.from({ length: WEEKS }, (_, week) => zone.offset(FROM + week * WEEK_MS)).join();
}

if (import.meta.main) {
  await writeFile(join(ROOT, 'nodes/gateway/times/country-zones.ts'), countryZones());
}
