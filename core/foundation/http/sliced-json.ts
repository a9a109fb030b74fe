import { TimeSlice } from '@lintel/sdk';
import { MAX_DEPTH } from './json-scanner.js';

/** Limits of a JSON text of another system. */
export interface JsonLimits {
  /** Values, keys included; an empty array or object counts twice. */
  values: number;
}

/** Why a text is not parsed. */
export class JsonRefusal extends Error {}

/** Bytes that are parsed at once; together with an element that is shorter itself, twice as many. */
const PIECE = 32_768;
/** Bytes that are scanned at once. */
const CHUNK = 65_536;
/** Members of one object: a table of more keys takes long to grow. */
const MOST_MEMBERS = 100_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** An array or object that is open at the current position. */
interface Level {
  /** Index of its bracket. */
  open: number;
  isObject: boolean;
  /** Start of what is not parsed yet. */
  from: number;
  /** Start of the current element, after the bracket or the last comma. */
  element: number;
  /** What was parsed of it so far; undefined as long as nothing was. */
  into: Map<string, unknown> | unknown[] | undefined;
  /** Whether the current element was parsed by itself. */
  isRead: boolean;
}

/**
 * Parses JSON in time slices, within limits that are checked before a part is parsed. A long array or object is parsed in pieces of a
 * few elements each; every piece is parsed by `JSON.parse`, so that the same texts are valid and give the same values.
 * @throws JsonRefusal beyond a limit; SyntaxError for what is no JSON
 */
export async function parseInSlices(bytes: Buffer, limits: JsonLimits): Promise<unknown> {
  const slice = new TimeSlice();
  const reader = new PieceReader(bytes, limits.values);
  while (!reader.isAtEnd) {
    reader.step();
    if (slice.isOver) await slice.next();
  }
  return reader.end();
}

class PieceReader {
  private at = 0;
  private values = 1;
  private inText = false;
  private readonly levels: Level[] = [];
  /** The outermost value, if it was parsed in pieces, and where it is. */
  private root: { value: unknown; from: number; to: number } | undefined;

  constructor(
    private readonly bytes: Buffer,
    private readonly most: number,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Scans some bytes, at most until a piece was parsed. */
  step(): void {
    const { bytes } = this;
    const end = Math.min(this.at + CHUNK, bytes.length);
    while (this.at < end) {
      if (this.inText) {
        this.skipText(end);
        continue;
      }
      const at = this.at++;
      switch (bytes[at]) {
        case QUOTE:
          this.inText = true;
          break;
        case COLON:
          this.count();
          break;
        case COMMA:
          this.count();
          if (this.comma(at)) return;
          break;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          this.open(at, bytes[at] === OPEN_OBJECT);
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          if (this.close(at, bytes[at] === CLOSE_OBJECT)) return;
          break;
        default:
      }
    }
  }

  end(): unknown {
    const { bytes, root } = this;
    if (this.inText || this.levels.length > 0) throw new SyntaxError('The JSON text is not complete.');
    if (!root) return JSON.parse(bytes.toString('utf8'));
    this.demandBlank(0, root.from);
    this.demandBlank(root.to, bytes.length);
    return root.value;
  }

  private count(): void {
    if (++this.values > this.most) throw new JsonRefusal(`has more than ${this.most} values`);
  }

  private skipText(end: number): void {
    const { bytes } = this;
    let { at } = this;
    for (; at < end; at++) {
      if (bytes[at] === QUOTE) {
        this.inText = false;
        at++;
        break;
      }
      if (bytes[at] === BACKSLASH) at++;
    }
    this.at = at;
  }

  private open(at: number, isObject: boolean): void {
    this.count();
    if (this.levels.length === MAX_DEPTH) throw new JsonRefusal(`is nested deeper than ${MAX_DEPTH} levels`);
    this.levels.push({ open: at, isObject, from: at + 1, element: at + 1, into: undefined, isRead: false });
  }

  /** @returns whether a piece was parsed */
  private comma(at: number): boolean {
    const level = this.levels.at(-1);
    if (!level) return false;
    const isLong = level.isRead || at - level.from >= PIECE;
    if (isLong) {
      this.read(level, at);
      level.from = at + 1;
    }
    level.element = at + 1;
    return isLong;
  }

  /** @returns whether a piece was parsed */
  private close(at: number, isObject: boolean): boolean {
    const level = this.levels.pop();
    if (level?.isObject !== isObject) throw new SyntaxError('The brackets of the JSON text do not match.');
    // A short one is parsed as a part of what it is in.
    if (level.into === undefined && at - level.open < PIECE) return false;
    if (level.into === undefined || level.isRead || level.from < at)
      this.read(level, at, level.from === level.open + 1);
    else throw new SyntaxError('An element is missing in the JSON text.');
    const value = valueOf(level);
    const above = this.levels.at(-1);
    if (above) this.put(above, level.open, at, value);
    else if (this.root) throw new SyntaxError('The JSON text has more than one value.');
    else this.root = { value, from: level.open, to: at + 1 };
    return true;
  }

  /** Adds an element that was parsed by itself. */
  private put(level: Level, open: number, close: number, value: unknown): void {
    if (level.isRead) throw new SyntaxError('A comma is missing in the JSON text.');
    if (level.element > level.from) this.read(level, level.element - 1);
    level.into ??= level.isObject ? new Map<string, unknown>() : [];
    if (level.into instanceof Map) {
      const [key, ...others] = Object.keys(JSON.parse(`{${this.text(level.element, open)}0}`) as object);
      if (key === undefined || others.length > 0) throw new SyntaxError('A key is missing in the JSON text.');
      addMember(level.into, key, value);
    } else {
      this.demandBlank(level.element, open);
      level.into.push(value);
    }
    level.from = close + 1;
    level.isRead = true;
  }

  /**
   * Parses the elements before an index that are not parsed yet.
   * @param isWhole whether they are all elements there are, which may be none
   */
  private read(level: Level, to: number, isWhole = false): void {
    if (level.isRead) {
      this.demandBlank(level.from, to);
      level.isRead = false;
      return;
    }
    const text = this.text(level.from, to);
    const piece: unknown = JSON.parse(level.isObject ? `{${text}}` : `[${text}]`);
    const found = Object.keys(piece as object).length;
    if (found === 0 && !isWhole) throw new SyntaxError('An element is missing in the JSON text.');
    level.into ??= level.isObject ? new Map<string, unknown>() : [];
    if (level.into instanceof Map)
      for (const [key, value] of Object.entries(piece as object)) addMember(level.into, key, value);
    else for (const value of piece as unknown[]) level.into.push(value);
  }

  private text(from: number, to: number): string {
    return this.bytes.toString('utf8', from, to);
  }

  private demandBlank(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = this.bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)
        throw new SyntaxError('The JSON text has something between its values.');
    }
  }
}

function addMember(into: Map<string, unknown>, key: string, value: unknown): void {
  into.set(key, value);
  if (into.size > MOST_MEMBERS) throw new JsonRefusal(`has an object of more than ${MOST_MEMBERS} members`);
}

/** `fromEntries` makes `__proto__` a member like any other, as JSON.parse does. */
const valueOf = ({ into }: Level): unknown => (into instanceof Map ? Object.fromEntries(into) : into);
