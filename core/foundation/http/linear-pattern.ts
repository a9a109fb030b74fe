import { parsePattern, type PatternPart, type PatternTree } from './pattern-tree.js';

const MAX_LENGTH = 1_000;
const MAX_POSITIONS = 1_000;
const MAX_PAIRS = 20_000;
/** Maximum work per pattern: parts, with repeated ones counted each time, and transitions between positions. */
const MAX_STEPS = 100_000;
/** The set of all characters. */
const ANY: PatternTree = { kind: 'set', source: '[^]' };

/**
 * Sample characters to compare character sets: Latin ones, one of each other category, and of the more common scripts.
 */
const SAMPLES = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code)),
  ...'ǅʰƻ\u0300ः\u0488٠Ⅷ²‿–⟨⟩„•€˄\u2003\u3000\u2028\u2029\u200d\ufeff\ue000\u{378}\ud800αЖאعअกမ中ひカ한Ａ！😀𝐀𐐀',
];
const LITERAL = /\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})|([^\0-\u017f])/gu;

/**
 * The part of the automaton built from a part of a pattern. A position is a place in the pattern where a character is
 * read.
 */
interface Fragment {
  first: number[];
  last: number[];
  /** Whether it also matches the empty text. */
  isEmpty: boolean;
}

/**
 * The Glushkov automaton of one part of a pattern: a state is the position whose character was read last; 0 is the
 * start.
 */
class Automaton {
  /** Transitions from each position; a duplicate entry means that the position can be reached in two ways. */
  readonly next: number[][] = [[]];
  private readonly sets: (Uint8Array | undefined)[] = [undefined];
  private steps = 0;

  constructor(
    { tree, isAnchored }: PatternPart,
    private readonly samples: readonly string[],
    /** Which of the samples are in a set, by its source. */
    private readonly known: Map<string, Uint8Array>,
  ) {
    const start = { first: [], last: [0], isEmpty: false };
    this.join(
      start,
      this.build(
        isAnchored ? tree : { kind: 'sequence', of: [{ kind: 'repeat', of: ANY, min: 0, max: Infinity }, tree] },
      ),
    );
  }

  /** Whether some character can be read at both positions. */
  overlap(a: number, b: number): boolean {
    const other = this.sets[b]!;
    return this.sets[a]!.some((holds, i) => holds === 1 && other[i] === 1);
  }

  private build(tree: PatternTree): Fragment {
    this.count(1);
    switch (tree.kind) {
      case 'set':
        return this.position(tree.source);
      case 'choice': {
        const all = tree.of.map((one) => this.build(one));
        return {
          first: all.flatMap(({ first }) => first),
          last: all.flatMap(({ last }) => last),
          isEmpty: all.some(({ isEmpty }) => isEmpty),
        };
      }
      case 'sequence':
        return tree.of.reduce<Fragment>((before, one) => this.join(before, this.build(one)), {
          first: [],
          last: [],
          isEmpty: true,
        });
      case 'repeat':
        return this.repeat(tree);
    }
  }

  /**
   * An exact count is expanded to copies; a range is treated as a loop, which has more paths and is therefore a safe
   * approximation.
   */
  private repeat({ of, min, max }: Extract<PatternTree, { kind: 'repeat' }>): Fragment {
    if (min === max)
      return this.build({ kind: 'sequence', of: Array.from({ length: Math.min(min, MAX_POSITIONS) }, () => of) });
    const once = this.build(of);
    if (max > 1) {
      if (once.isEmpty) throw new Error('repeats a part that may be empty');
      this.lead(once.last, once.first);
    }
    return { ...once, isEmpty: once.isEmpty || min === 0 };
  }

  private join(a: Fragment, b: Fragment): Fragment {
    this.lead(a.last, b.first);
    return {
      first: a.isEmpty ? [...a.first, ...b.first] : a.first,
      last: b.isEmpty ? [...a.last, ...b.last] : b.last,
      isEmpty: a.isEmpty && b.isEmpty,
    };
  }

  private count(steps: number): void {
    this.steps += steps;
    if (this.steps > MAX_STEPS) throw new Error('is too large');
  }

  private lead(from: readonly number[], to: readonly number[]): void {
    this.count(from.length * to.length);
    for (const position of from) this.next[position]!.push(...to);
  }

  private position(source: string): Fragment {
    let set = this.known.get(source);
    if (!set) {
      const one = new RegExp(`^(?:${source})$`, 'u');
      this.known.set(source, (set = Uint8Array.from(this.samples, (sample) => (one.test(sample) ? 1 : 0))));
    }
    if (this.sets.push(set) > MAX_POSITIONS) throw new Error('is too large');
    const at = this.next.push([]) - 1;
    return { first: [at], last: [at], isEmpty: false };
  }
}

/**
 * Backtracking is superlinear in two cases: two different paths for the same text that meet again multiply at every
 * repetition, and two unbounded paths are retried from each character. If neither exists, the engine reads each
 * character a number of times that depends only on the pattern.
 */
function checkWays(automaton: Automaton): void {
  const open = new Set<string>();
  const done = new Set<string>();
  const from = (a: number, b: number): void => {
    for (const [i, x] of automaton.next[a]!.entries()) {
      for (const [j, y] of automaton.next[b]!.entries()) {
        if ((a === b && j <= i) || !automaton.overlap(x, y)) continue;
        if (x === y) throw new Error('matches the same text in more than one way');
        visit(Math.min(x, y), Math.max(x, y));
      }
    }
  };
  const visit = (a: number, b: number): void => {
    const pair = `${a} ${b}`;
    if (open.has(pair)) throw new Error('has two repetitions that match the same characters');
    if (done.has(pair)) return;
    if (done.size + open.size > MAX_PAIRS) throw new Error('is too large');
    open.add(pair);
    from(a, b);
    open.delete(pair);
    done.add(pair);
  };
  for (let state = 0; state < automaton.next.length; state++) from(state, state);
}

/** The results by pattern; bounded, because patterns come from schemas only, never from requests. */
const results = new Map<string, string | undefined>();
/** The sets of patterns without characters outside SAMPLES: which samples each set contains, by its source. */
const commonSets = new Map<string, Uint8Array>();

/**
 * Whether the engine may take more than linear time for a pattern of JSON Schema.
 * @returns the reason, as text that continues a sentence after the pattern's name; undefined where it does not
 */
export function patternFault(source: string): string | undefined {
  if (!results.has(source)) results.set(source, faultOf(source));
  return results.get(source);
}

function faultOf(source: string): string | undefined {
  if (source.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  try {
    const codes = [...source.matchAll(LITERAL)].map(([, braced, four, sign]) =>
      sign === undefined ? Number.parseInt(braced ?? four!, 16) : sign.codePointAt(0)!,
    );
    const own = codes.flatMap((code) => [code - 1, code, code + 1]).filter((code) => code >= 0 && code <= 0x10ffff);
    const samples = own.length === 0 ? SAMPLES : [...SAMPLES, ...own.map((code) => String.fromCodePoint(code))];
    const sets = own.length === 0 ? commonSets : new Map<string, Uint8Array>();
    for (const part of parsePattern(source)) checkWays(new Automaton(part, samples, sets));
    return undefined;
  } catch (error) {
    return error instanceof SyntaxError ? `is no pattern: ${error.message}` : (error as Error).message;
  }
}
