import { problem, type Problem } from '../errors.js';

/** Maximum nesting depth of arrays and objects, the outermost included. */
export const MAX_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The problem for a body with more values than its route accepts. @param most that maximum */
export const tooComplex = (most: number, of = 'The body'): Problem =>
  problem('body_too_complex', { detail: `${of} contains more than ${most} values, including keys.`, limit: most });

const tooDeep = (): Problem =>
  problem('validation_failed', {
    detail: 'The body is nested too deeply.',
    errors: [{ field: '', reason: `must not nest deeper than ${MAX_DEPTH} levels`, in: 'body' }],
  });

/** Called for brackets and commas at the two outermost levels. @param at index in the current chunk */
type OuterSigns = (sign: 'open' | 'close' | 'comma', at: number, depth: number) => void;

/**
 * Counts the values and the nesting depth of a JSON text from its bytes, before anything is parsed: the cost of parsing
 * depends on the number of values, which the size in bytes bounds poorly. Keys count as values; an empty array or
 * object counts twice. Whether the text is valid JSON is decided by the parser.
 */
export class JsonScanner {
  /** Number of values so far. */
  values = 1;
  /** Number of open arrays and objects. */
  depth = 0;
  private inText = false;
  private isEscaped = false;

  /**
   * @param limit maximum number of values; may be changed while scanning @param exceeded creates the problem to throw
   *   beyond it
   */
  constructor(
    public limit: number,
    private readonly exceeded: () => Problem = () => tooComplex(limit),
    private readonly outer?: OuterSigns,
  ) {}

  /**
   * @param chunk the next bytes, split at any position @throws body_too_complex, or validation_failed beyond 64 levels
   */
  scan(chunk: Buffer): void {
    const { length } = chunk;
    for (let at = 0; at < length; at++) {
      if (this.inText) {
        at = this.skipText(chunk, at);
        continue;
      }
      switch (chunk[at]) {
        case QUOTE:
          this.inText = true;
          break;
        case COLON:
          this.count();
          break;
        case COMMA:
          this.count();
          if (this.depth <= 2) this.outer?.('comma', at, this.depth);
          break;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          this.count();
          if (++this.depth > MAX_DEPTH) throw tooDeep();
          if (this.depth <= 2) this.outer?.('open', at, this.depth);
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          if (this.depth <= 2) this.outer?.('close', at, this.depth);
          this.depth--;
          break;
        default:
      }
    }
  }

  private count(): void {
    if (++this.values > this.limit) throw this.exceeded();
  }

  /** @returns index of the closing quote of a string, or the end of the chunk */
  private skipText(chunk: Buffer, from: number): number {
    let at = from;
    if (this.isEscaped) {
      this.isEscaped = false;
      at++;
    }
    for (const { length } = chunk; at < length; at++) {
      if (chunk[at] === QUOTE) {
        this.inText = false;
        return at;
      }
      if (chunk[at] === BACKSLASH && ++at === length) this.isEscaped = true;
    }
    return at;
  }
}
