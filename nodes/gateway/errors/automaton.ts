/**
 * Finds a pattern in a text in time that grows with the length of the text and no faster, whatever the text holds:
 * regular expressions try again from each place and can be made to take minutes.
 */

/** A regular pattern over the UTF-16 units of a text. */
export type Pattern =
  /** One unit out of these. */
  | { kind: 'unit'; of: string }
  | { kind: 'sequence'; of: Pattern[] }
  | { kind: 'choice'; of: Pattern[] }
  /** Any number of times, none included. */
  | { kind: 'repeat'; of: Pattern };

/**
 * Returns a function that puts `replacement` in place of each match in a text. Matches don't overlap; each is the
 * longest of those that end first.
 */
export function replacer(pattern: Pattern, replacement: string): (text: string) => string {
  const ends = new Automaton(pattern, true);
  const beginnings = new Automaton(reversed(pattern), false);
  return (text) => {
    const parts: string[] = [];
    let from = 0;
    let state = START;
    for (let i = 0; i < text.length; i++) {
      state = ends.step(state, text.charCodeAt(i));
      if (!ends.accepts(state)) continue;
      parts.push(text.slice(from, beginnings.lastAccepted(text, i, from)), replacement);
      from = i + 1;
      state = START;
    }
    return from === 0 ? text : parts.join('') + text.slice(from);
  };
}

function reversed(pattern: Pattern): Pattern {
  switch (pattern.kind) {
    case 'unit':
      return pattern;
    case 'sequence':
      return { kind: 'sequence', of: pattern.of.map(reversed).reverse() };
    case 'choice':
      return { kind: 'choice', of: pattern.of.map(reversed) };
    case 'repeat':
      return { kind: 'repeat', of: reversed(pattern.of) };
  }
}

/** A place in the pattern: behind one of `units`, or without any, it goes on at `next`. */
interface Place {
  units?: string;
  next: number[];
}

const ACCEPT = 0;
const START = 0;
const UNKNOWN = -1;
/** Sets of places that are kept; with more of them all are forgotten and found again when needed. */
const MAX_STATES = 4096;

/** A deterministic automaton whose states, each a set of places of the pattern, are made when they are reached. */
class Automaton {
  private readonly places: Place[] = [{ next: [] }];

  private readonly beginning: number[];

  /** The column of each unit; all units that the pattern doesn't name share column 0. */
  private readonly columns = new Uint16Array(0x10000);

  private readonly units: number[] = [0];

  private sets: number[][] = [];

  private rows: Int32Array[] = [];

  private ids = new Map<string, number>();

  private readonly anywhere: boolean;

  /** `anywhere`: whether a match may begin at each unit, or only at the first. */
  constructor(pattern: Pattern, anywhere: boolean) {
    this.anywhere = anywhere;
    this.beginning = this.closure([this.add(pattern, ACCEPT)]);
    this.intern(this.beginning);
  }

  step(state: number, unit: number): number {
    const column = this.columns[unit];
    const known = this.rows[state][column];
    return known === UNKNOWN ? this.learn(state, column) : known;
  }

  accepts(state: number): boolean {
    return this.sets[state][0] === ACCEPT;
  }

  /** The lowest index at which a match is complete that is read backwards from index `last` to index `first`. */
  lastAccepted(text: string, last: number, first: number): number {
    let found = last;
    let state = START;
    for (let i = last; i >= first && this.sets[state].length > 0; i--) {
      state = this.step(state, text.charCodeAt(i));
      if (this.accepts(state)) found = i;
    }
    return found;
  }

  private learn(state: number, column: number): number {
    const unit = this.units[column];
    const set = this.sets[state].flatMap((place) => {
      const { units, next } = this.places[place];
      return column > 0 && units?.includes(String.fromCharCode(unit)) ? next : [];
    });
    const target = this.closure(this.anywhere ? [...set, ...this.beginning] : set);
    if (this.sets.length < MAX_STATES) return (this.rows[state][column] = this.intern(target));
    this.sets = [];
    this.rows = [];
    this.ids = new Map();
    this.intern(this.beginning);
    return this.intern(target);
  }

  private intern(set: number[]): number {
    const key = set.join();
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    this.ids.set(key, this.sets.length);
    this.rows.push(new Int32Array(this.units.length).fill(UNKNOWN));
    return this.sets.push(set) - 1;
  }

  /** The places that are reached from these without reading anything, in order; only those that read or accept. */
  private closure(from: number[]): number[] {
    const seen = new Set<number>();
    const open = [...from];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      if (this.places[place].units === undefined) open.push(...this.places[place].next);
    }
    return [...seen]
      .filter((place) => place === ACCEPT || this.places[place].units !== undefined)
      .sort((a, b) => a - b);
  }

  /** Adds a pattern that goes on at `next`; returns where it begins. */
  private add(pattern: Pattern, next: number): number {
    switch (pattern.kind) {
      case 'unit':
        for (const unit of pattern.of) this.addColumn(unit.charCodeAt(0));
        return this.addPlace({ units: pattern.of, next: [next] });
      case 'sequence':
        return pattern.of.reduceRight((after, part) => this.add(part, after), next);
      case 'choice':
        return this.addPlace({ next: pattern.of.map((part) => this.add(part, next)) });
      case 'repeat': {
        const loop = this.addPlace({ next: [next] });
        this.places[loop].next.push(this.add(pattern.of, loop));
        return loop;
      }
    }
  }

  private addPlace(place: Place): number {
    return this.places.push(place) - 1;
  }

  private addColumn(unit: number): void {
    if (this.columns[unit] === 0) this.columns[unit] = this.units.push(unit) - 1;
  }
}
