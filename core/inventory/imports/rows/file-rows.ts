import { TimeSlice } from '@lintel/sdk';
import { ownKeys, soughtKey } from '../parse/keys.js';
import { verdictOf, type Reference, type StagedCard, type Verdict } from '../types.js';
import { KeyTable } from './key-table.js';

/** What other rows need to know of a row with a card. */
export interface CardRow {
  n: number;
  type: string | null;
  /** Number of the row that its parent refers to; null where it refers to none. */
  parent: number | null;
  /** Rows of lower levels come first; `UNPLACED` for a row that is below itself, or whose parent is no row with a card. */
  level: number;
  /** Null until it is known. */
  verdict: Verdict | null;
  /** Id of its card, where it exists. */
  target: string | null;
}

/** What such a reference names may change with each further row: of several rows with the name, it names none. */
const isByNameAlone = (reference: Reference): boolean => 'name' in reference && !reference.path;

const UNKNOWN = -1;
const MOST_LEVELS = 100;
export const UNPLACED = MOST_LEVELS + 1;
/** In the table of keys: several rows have a key that only one may have. */
const SEVERAL = -1;

/** The level below a row; unknown where that of the row is. */
const levelBelow = (row: CardRow | undefined): number =>
  row === undefined || row.level === UNKNOWN ? UNKNOWN : Math.min(row.level + 1, UNPLACED);

/**
 * The rows with cards of a file while its preview is made: which of them a reference names, and their verdicts. Kept in
 * memory, because most rows name others: looking each of them up took a fifth of the time of PostgreSQL. A row
 * takes 250 to 300 bytes; a file has at most a million rows, and an interrupted preview begins again with the file.
 */
export class FileRows {
  private readonly keys = new KeyTable();
  /** By row number; undefined for a row with a relation. */
  private readonly cards: (CardRow | undefined)[] = [];
  /** Rows whose parent was not among the rows before them. */
  private waiting: { row: CardRow; parent: string }[] = [];
  /** A type is stored once: a part of a text would keep the whole text in memory. */
  private readonly types = new Map<string, string>();

  /** Adds a row; rows are added in the order of the file. @returns its level, as far as it is known; else -1 */
  add(staged: StagedCard): number {
    const { n, input, parent } = staged;
    const own = ownKeys(staged);
    for (const key of own.first) {
      const first = this.keys.set(key, n);
      if (first !== 0) this.keys.set(key, first);
    }
    if (own.only !== undefined && this.keys.set(own.only, n) !== 0) this.keys.set(own.only, SEVERAL);
    const row: CardRow = {
      n,
      type: input.type === undefined ? null : this.typeOf(input.type),
      parent: parent && 'row' in parent ? parent.row : null,
      level: UNKNOWN,
      verdict: verdictOf(staged) ?? null,
      target: null,
    };
    while (this.cards.length < n) this.cards.push(undefined);
    this.cards[n] = row;
    const sought = soughtKey(parent);
    if (sought !== undefined) {
      const found = isByNameAlone(parent!) ? 0 : this.keys.get(sought);
      if (found > 0) row.parent = found;
      else this.waiting.push({ row, parent: sought });
    }
    if (row.parent !== null) row.level = levelBelow(this.cards[row.parent]);
    else if (sought === undefined) row.level = 0;
    return row.level;
  }

  /** Finds the remaining parents, and assigns levels, in time slices. Called once, after all rows were added. */
  async link(): Promise<void> {
    const slice = new TimeSlice();
    for (const { row, parent } of this.waiting) {
      if (slice.isOver) await slice.next();
      const found = this.keys.get(parent);
      // By its own name, a row refers to a card that exists already.
      if (found > 0 && found !== row.n) row.parent = found;
    }
    this.waiting = [];
    for (const row of this.cards) {
      if (slice.isOver) await slice.next();
      if (row) this.place(row);
    }
  }

  private place(row: CardRow): void {
    const line: CardRow[] = [];
    let at: CardRow | undefined = row;
    while (at && at.level === UNKNOWN && at.parent !== null) {
      at.level = UNPLACED;
      line.push(at);
      at = this.cards[at.parent];
    }
    if (at?.level === UNKNOWN) at.level = 0;
    for (const child of line.reverse()) {
      child.level = at ? levelBelow(at) : UNPLACED;
      at = child;
    }
  }

  /** @returns undefined where the row is none with a card */
  get(n: number): CardRow | undefined {
    return this.cards[n];
  }

  /** Numbers of the rows that other rows have as their parent. */
  parents(): Set<number> {
    const parents = new Set<number>();
    for (const row of this.cards) if (row && row.parent !== null) parents.add(row.parent);
    return parents;
  }

  /** The row with the parent of a row's card; undefined where the parent is no card of the file. */
  parentOf(n: number): CardRow | undefined {
    const parent = this.get(n)?.parent;
    return parent === undefined || parent === null ? undefined : this.get(parent);
  }

  /** The row that a reference names: by external id and by path the first one, by a name alone the only one. */
  find(reference: Reference | null | undefined): CardRow | undefined {
    if (reference && 'row' in reference) return this.get(reference.row);
    const key = soughtKey(reference);
    const n = key === undefined ? 0 : this.keys.get(key);
    return n > 0 ? this.get(n) : undefined;
  }

  /** The same reference, as a row number where the row is known by now: rows are stored with less text then. */
  shortened(reference: Reference): Reference {
    const row = isByNameAlone(reference) ? undefined : this.find(reference);
    return row ? { row: row.n } : reference;
  }

  /** Notes the verdict of a row. @param target id of its card, where it exists; absent where that remains */
  decide(n: number, verdict: Verdict, target?: string | null): void {
    const row = this.cards[n]!;
    row.verdict = verdict;
    if (target !== undefined) row.target = target;
  }

  private typeOf(type: string): string {
    const known = this.types.get(type);
    if (known === undefined) this.types.set(type, type);
    return known ?? type;
  }
}
