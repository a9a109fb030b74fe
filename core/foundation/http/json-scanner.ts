import { problem, type Problem } from '../errors.js';

/** Levels of arrays and objects, the outermost included. */
export const MAX_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The refusal of a body with more values than its route takes. @param most how many that are */
export const tooComplex = (most: number, of = 'The body'): Problem =>
  problem('body_too_complex', { detail: `${of} holds more than ${most} values, keys included.`, limit: most });

const tooDeep = (): Problem =>
  problem('validation_failed', {
    detail: 'The body is nested too deeply.',
    errors: [{ field: '', reason: `must not nest deeper than ${MAX_DEPTH} levels`, in: 'body' }],
  });

/** Told of brackets and commas at the two outermost levels. @param at index in the chunk that is scanned */
export type OuterSigns = (sign: 'open' | 'close' | 'comma', at: number, depth: number) => void;

/**
 * Counts the values and the depth of a JSON text from its bytes, as they arrive and before anything is parsed: what
 * parsing costs goes with the number of values, which a size in bytes bounds poorly. Keys count as values; an empty array
 * or object counts twice. Whether the text is JSON at all is left to the parser.
 */
export class JsonScanner {
  /** Values so far. */
  values = 1;
  /** Arrays and objects that are open. */
  depth = 0;
  private inText = false;
  private isEscaped = false;

  /** @param limit how many values there may be; may be moved while scanning @param exceeded makes what is thrown beyond it */
  constructor(
    public limit: number,
    private readonly exceeded: () => Problem = () => tooComplex(limit),
    private readonly outer?: OuterSigns,
  ) {}

  /** @param chunk the next bytes, however they are cut @throws body_too_complex, or validation_failed beyond 64 levels */
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

  /** @returns where the text ends: at its closing quote, or at the end of the chunk */
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
