import { TimeSlice, type FieldError } from '@lintel/sdk';
import { problem, type Problem } from '../errors.js';
import { JsonScanner, tooComplex } from './json-scanner.js';
import { parseJson, unsafeBody } from './json-text.js';

/** Limits of a bulk request. */
interface BulkLimits {
  operations: number;
  /** Values of the whole body, keys included. */
  values: number;
}

/** Limits for one operation, and for everything outside the operations: those of a single request body. */
const PART_BYTES = 1_048_576;
const PART_VALUES = 50_000;
/** Maximum number of distinct keys: parsing an object is much more expensive if its keys have not been seen before. */
const MOST_KEYS = 20_000;
/**
 * Matches the start of the `operations` array at the end of the outline; a key spelled with escapes is not recognised
 * and is left in the outline.
 */
const OPERATIONS = /[{,][ \t\r\n]*"operations"[ \t\r\n]*:[ \t\r\n]*\[$/;
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** Maximum number of bytes before a bracket in which its key is searched. */
const KEY_TAIL = 100;

/** A parsed bulk request. */
interface BulkBody {
  value: unknown;
  /** Unsafe or ambiguous content by index of the operation, with pointers relative to the operation. */
  unsafe: Map<number, FieldError[]>;
}

/**
 * Reads `{…, "operations": […]}` while it arrives. Each operation is parsed separately once it is complete, so that the
 * text of the whole body is never in memory, nor parsed in one step. Everything outside the operations is collected as
 * an outline with a number in place of each operation; operations and outline are valid JSON if and only if the whole
 * body is.
 */
export class BulkReader {
  private readonly scanner: JsonScanner;
  private readonly slice = new TimeSlice();
  private readonly keys = new Set<string>();
  private readonly operations: unknown[] = [];
  private readonly unsafe = new Map<number, FieldError[]>();
  /** Operations received completely and not parsed yet. */
  private ready: Buffer[] = [];
  /** The outline so far, and the operation being received. */
  private readonly outline: Buffer[] = [];
  private part: Buffer[] = [];
  private partBytes = 0;
  private outlineBytes = 0;
  private inOperations = false;
  private anyOperations = false;
  private count = 0;
  /** Start of the part of the current chunk that has not been copied yet. */
  private from = 0;
  private chunk: Buffer = Buffer.alloc(0);
  private partStart = 0;
  private outlineValues = 0;

  constructor(private readonly limits: BulkLimits) {
    this.scanner = new JsonScanner(
      Math.min(limits.values, PART_VALUES),
      () => this.exceeded(),
      (sign, at, depth) => this.outer(sign, at, depth),
    );
  }

  /**
   * @param chunk the next bytes
   * @throws malformed_json, body_too_complex, payload_too_large, validation_failed
   */
  async take(chunk: Buffer): Promise<void> {
    this.chunk = chunk;
    this.from = 0;
    this.scanner.scan(chunk);
    this.keep(chunk.length);
    const { ready } = this;
    this.ready = [];
    for (const bytes of ready) {
      const { value, errors } = parseJson(bytes.toString('utf8'), this.keys);
      if (this.keys.size > MOST_KEYS)
        throw problem('body_too_complex', {
          detail: `The operations have more than ${MOST_KEYS} different keys.`,
          limit: MOST_KEYS,
        });
      if (errors.length > 0) this.unsafe.set(this.operations.length, errors);
      this.operations.push(value);
      if (this.slice.isOver) await this.slice.next();
    }
  }

  /**
   * @returns the whole body after the last chunk; value undefined for an empty body @throws malformed_json,
   *   validation_failed
   */
  end(): BulkBody {
    const text = Buffer.concat(this.outline).toString('utf8');
    if (this.inOperations) throw problem('malformed_json');
    if (text.length === 0) return { value: undefined, unsafe: this.unsafe };
    const { value, errors } = parseJson(text);
    if (errors.length > 0) throw unsafeBody(errors);
    if (this.anyOperations) (value as { operations: unknown[] }).operations = this.operations;
    return { value, unsafe: this.unsafe };
  }

  private outer(sign: 'open' | 'close' | 'comma', at: number, depth: number): void {
    if (depth !== 2) return;
    if (!this.inOperations) {
      if (sign !== 'open') return;
      this.keep(at + 1);
      if (!OPERATIONS.test(this.tail())) return;
      this.outlineValues = this.scanner.values - this.partStart + this.outlineValues;
      this.inOperations = this.anyOperations = true;
      this.begin();
    } else if (sign !== 'open') {
      this.keep(at);
      this.finish();
      if (sign === 'close') {
        this.inOperations = false;
        this.partStart = this.scanner.values;
        this.scanner.limit = Math.min(this.limits.values, this.scanner.values + PART_VALUES - this.outlineValues);
        return;
      }
      this.outline.push(Buffer.from(','));
      this.from = at + 1;
      this.begin();
    }
  }

  private begin(): void {
    this.partStart = this.scanner.values;
    this.scanner.limit = Math.min(this.limits.values, this.partStart + PART_VALUES);
  }

  private finish(): void {
    const bytes = this.part.length === 1 ? this.part[0]! : Buffer.concat(this.part);
    this.part = [];
    this.partBytes = 0;
    // A missing operation makes the outline invalid, except in an empty array.
    if (bytes.every((byte) => BLANKS.has(byte))) return;
    if (this.count === this.limits.operations) {
      throw problem('validation_failed', {
        detail: '1 invalid field',
        errors: [
          { field: '/operations', reason: `must NOT have more than ${this.limits.operations} items`, in: 'body' },
        ],
      });
    }
    this.outline.push(Buffer.from(String(this.count++)));
    this.ready.push(bytes);
  }

  /** Copies the part of the chunk that has not been copied yet. @param end index after that part */
  private keep(end: number): void {
    if (end <= this.from) return;
    const bytes = this.chunk.subarray(this.from, end);
    this.from = end;
    if (this.inOperations) {
      this.part.push(bytes);
      this.partBytes += bytes.length;
      if (this.partBytes > PART_BYTES)
        throw problem('payload_too_large', { detail: 'An operation of a bulk may have 1 MiB at most.' });
    } else {
      this.outline.push(bytes);
      this.outlineBytes += bytes.length;
      if (this.outlineBytes > PART_BYTES)
        throw problem('payload_too_large', {
          detail: 'Everything outside the operations of a bulk may have at most 1 MiB.',
        });
    }
  }

  private tail(): string {
    let text = '';
    for (let i = this.outline.length - 1; i >= 0 && text.length < KEY_TAIL; i--)
      text = this.outline[i]!.subarray(-KEY_TAIL).toString('latin1') + text;
    return text;
  }

  private exceeded(): Problem {
    return this.scanner.values > this.limits.values
      ? tooComplex(this.limits.values)
      : tooComplex(PART_VALUES, this.inOperations ? 'An operation' : 'The part outside the operations');
  }
}
