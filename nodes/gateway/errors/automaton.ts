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

/** A place in the pattern: it reads one of `units`, or nothing without any, and goes on at each of `next`. */
interface Place {
  units?: string;
  next: number[];
}

const ACCEPT = 0;
const START = 0;
const UNKNOWN = -1;
/** States that are kept; with more of them all are forgotten and found again when needed. */
const MAX_STATES = 4096;

/** A deterministic automaton whose states, each a set of places of the pattern, are made when they are reached. */
class Automaton {
  private readonly places: Place[] = [{ next: [] }];

  private readonly entry: number;

  /** The column of each unit; all units that the pattern doesn't name share column 0. */
  private readonly columns = new Uint16Array(0x10000);

  private readonly units: string[] = [''];

  /** What `readersFrom` found, by place. */
  private readonly readers: Array<number[] | undefined> = [];

  private sets: number[][] = [];

  private accepting: boolean[] = [];

  private rows: Int32Array[] = [];

  private ids = new Map<string, number>();

  private readonly anywhere: boolean;

  /** `anywhere`: whether a match may begin at each unit, or only at the first. */
  constructor(pattern: Pattern, anywhere: boolean) {
    this.anywhere = anywhere;
    this.entry = this.add(pattern, ACCEPT);
    this.intern([this.entry]);
  }

  step(state: number, unit: number): number {
    const column = this.columns[unit];
    const known = this.rows[state][column];
    return known === UNKNOWN ? this.learn(state, column) : known;
  }

  accepts(state: number): boolean {
    return this.accepting[state];
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
    const target = new Set(this.anywhere ? [this.entry] : []);
    for (const place of column === 0 ? [] : this.sets[state]) {
      for (const reader of this.readersFrom(place)) {
        const { units, next } = this.places[reader];
        if (units?.includes(this.units[column])) next.forEach((after) => target.add(after));
      }
    }
    const set = [...target].sort((a, b) => a - b);
    if (this.sets.length < MAX_STATES) return (this.rows[state][column] = this.intern(set));
    this.sets = [];
    this.accepting = [];
    this.rows = [];
    this.ids = new Map();
    this.intern([this.entry]);
    return this.intern(set);
  }

  private intern(set: number[]): number {
    const key = set.join();
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    this.ids.set(key, this.sets.length);
    this.accepting.push(set.some((place) => this.readersFrom(place).includes(ACCEPT)));
    this.rows.push(new Int32Array(this.units.length).fill(UNKNOWN));
    return this.sets.push(set) - 1;
  }

  /** The places that read, or accept, and are reached from a place without reading anything. */
  private readersFrom(place: number): number[] {
    const known = this.readers[place];
    if (known !== undefined) return known;
    const seen = new Set<number>();
    const open = [place];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (this.places[next].units === undefined) open.push(...this.places[next].next);
    }
    return (this.readers[place] = [...seen].filter(
      (reached) => reached === ACCEPT || this.places[reached].units !== undefined,
    ));
  }

  /** Adds a pattern that goes on at `next`; returns where it begins. */
  private add(pattern: Pattern, next: number): number {
    switch (pattern.kind) {
      case 'unit':
        for (const unit of pattern.of) this.addColumn(unit);
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

  private addColumn(unit: string): void {
    const code = unit.charCodeAt(0);
    if (this.columns[code] === 0) this.columns[code] = this.units.push(unit) - 1;
  }
}
