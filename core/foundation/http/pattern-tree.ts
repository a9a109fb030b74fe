/** The parts of a regular expression that determine its matching time. */
export type PatternTree =
  /** One character of a set; `source` is its text: `a`, `\d`, `[a-z]`, `.` */
  | { kind: 'set'; source: string }
  | { kind: 'sequence' | 'choice'; of: PatternTree[] }
  | { kind: 'repeat'; of: PatternTree; min: number; max: number };

/** One alternative of a pattern, or of a lookahead. */
export interface PatternPart {
  tree: PatternTree;
  /** Whether it is tried only at the beginning of the text, and not at every character. */
  isAnchored: boolean;
}

const GROUP = /\((?:\?:|\?<[^=!>][^>]*>)?/y;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;
const SET =
  /\[(?:\\[^]|[^\]\\])*\]|\\u\{[^}]*\}|(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[pP]\{[^}]*\}|\\[^1-9bBk]|[^\\^$()|*+?{}[\]]/uy;

/** Parses a pattern that the engine has accepted with the flag `u`. */
class PatternReader {
  private at = 0;
  private depth = 0;
  readonly lookaheads: PatternPart[] = [];

  constructor(private readonly source: string) {}

  parts(isAnchored = false): PatternPart[] {
    const parts = [this.part(isAnchored)];
    while (this.takes('|')) parts.push(this.part(isAnchored));
    return parts;
  }

  private part(within: boolean): PatternPart {
    const isAnchored = this.takes('^') || within;
    while (this.takes('(?=') || this.takes('(?!')) {
      this.lookaheads.push(...this.parts(isAnchored));
      this.at++;
    }
    const tree = this.sequence();
    this.takes('$');
    return { tree, isAnchored };
  }

  private choice(): PatternTree {
    const of = [this.sequence()];
    while (this.takes('|')) of.push(this.sequence());
    return { kind: 'choice', of };
  }

  private sequence(): PatternTree {
    const of: PatternTree[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at]!) && !this.isAtEnd())
      of.push(this.repeated());
    return { kind: 'sequence', of };
  }

  private repeated(): PatternTree {
    const of = this.atom();
    const found = this.match(QUANTIFIER);
    if (!found) return of;
    const [text, low, comma, high] = found;
    if (low === undefined)
      return { kind: 'repeat', of, min: text.startsWith('+') ? 1 : 0, max: text.startsWith('?') ? 1 : Infinity };
    return { kind: 'repeat', of, min: Number(low), max: high ? Number(high) : comma ? Infinity : Number(low) };
  }

  private atom(): PatternTree {
    if (/^\(\?(=|!|<=|<!)/.test(this.source.slice(this.at, this.at + 4)))
      throw new Error('looks ahead or behind elsewhere than at its beginning');
    if (this.match(GROUP)) {
      this.depth++;
      const tree = this.choice();
      this.depth--;
      this.at++;
      return tree;
    }
    const [set] = this.match(SET) ?? [];
    if (set === undefined) throw new Error('has an anchor in the middle, a border of a word or a reference back');
    return { kind: 'set', source: set };
  }

  /** Whether the current character is the `$` at the end of a part. */
  private isAtEnd(): boolean {
    return this.depth === 0 && this.source[this.at] === '$' && ['|', ')', undefined].includes(this.source[this.at + 1]);
  }

  private takes(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private match(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.at;
    const found = form.exec(this.source);
    if (found) this.at = form.lastIndex;
    return found;
  }
}

/**
 * Parses a pattern of JSON Schema.
 * @returns its alternatives, and those of lookaheads at its beginning: each is analysed separately
 * @throws an Error naming the construct whose matching time cannot be bounded, or SyntaxError where the pattern is
 *   invalid
 */
export function parsePattern(source: string): PatternPart[] {
  new RegExp(source, 'u');
  const reader = new PatternReader(source);
  return [...reader.parts(), ...reader.lookaheads];
}
