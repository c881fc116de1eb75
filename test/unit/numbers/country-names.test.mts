/** Names that people type for a country. The names are read once for all: one test asks for all of them. */
import { findCountry } from '../../../nodes/gateway/numbers/countries.ts';

const NAMES: Record<string, readonly string[]> = {
  UA: ['Ukraine', 'україна', 'Украина', 'UKR'],
  GB: ['Great Britain', 'Wales', 'Vereinigtes Königreich', 'Royaume-Uni', 'GBR'],
  DE: ['Germany', 'Deutschland', 'Niemcy', 'Allemagne', 'Duitsland', 'DEU'],
  PL: ['Polska', 'Pologne', 'Lengyelország'],
  CZ: ['Czechia', 'Czech Republic', 'Česko', 'CZE'],
  // A capital of another letter in the Turkish alphabet.
  EG: ['Mısır', 'EGYPT', 'egipt'],
  CI: ["Côte d'Ivoire", 'Cote d’Ivoire', 'Ivory Coast'],
  // Both Congos are called so; it is the name of one alone that people type.
  CG: ['Congo'],
  KR: ['Korea', 'South Korea'],
  EE: ['Estonia', 'EST'],
  CA: ['Canada', 'CAN'],
  RU: ['Russia', 'RUS'],
};

it('finds a country by the names that people type for it, in the languages of many', () => {
  for (const [iso, names] of Object.entries(NAMES))
    for (const name of names) expect([name, findCountry(name)?.iso]).toEqual([name, iso]);
  for (const name of ['Ruritania', 'Europe', 'Atlantis']) expect(findCountry(name)).toBeUndefined();
});
