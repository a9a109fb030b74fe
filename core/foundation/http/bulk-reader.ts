import { TimeSlice, type FieldError } from '@lintel/sdk';
import { problem, type Problem } from '../errors.js';
import { JsonScanner, tooComplex } from './json-scanner.js';
import { parseJson, unsafeBody } from './json-text.js';

/** What a bulk may hold. */
export interface BulkLimits {
  operations: number;
  /** Values of the whole body, keys included. */
  values: number;
}

/** What one operation may hold, and what stands around the operations: as much as a body of its own might. */
const PART_BYTES = 1_048_576;
const PART_VALUES = 50_000;
/** Different keys of a bulk: an object costs far more to parse where its keys have not been seen before. */
const MOST_KEYS = 20_000;
/** The beginning of the array, as the end of the outline; a key that is spelt with escapes stays in the outline. */
const OPERATIONS = /[{,][ \t\r\n]*"operations"[ \t\r\n]*:[ \t\r\n]*\[$/;
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** How much of what precedes a bracket is looked at to tell whose array it opens. */
const KEY_TAIL = 100;

/** A bulk as it was sent. */
export interface BulkBody {
  value: unknown;
  /** By place of the operation: what in it is unsafe or ambiguous, with pointers from the operation on. */
  unsafe: Map<number, FieldError[]>;
}

/**
 * Reads `{…, "operations": […]}` while it arrives: each operation is parsed alone, once it is there, so that neither the
 * text of the whole nor the time to parse it is ever needed at once. What stands around the operations is put together
 * as an outline, with a number in place of each; operations and outline are JSON where the whole is.
 */
export class BulkReader {
  private readonly scanner: JsonScanner;
  private readonly slice = new TimeSlice();
  private readonly keys = new Set<string>();
  private readonly operations: unknown[] = [];
  private readonly unsafe = new Map<number, FieldError[]>();
  /** Operations that are here whole, and not parsed yet. */
  private ready: Buffer[] = [];
  /** The outline so far, or the operation that is being received. */
  private readonly outline: Buffer[] = [];
  private part: Buffer[] = [];
  private partBytes = 0;
  private outlineBytes = 0;
  private inOperations = false;
  private anyOperations = false;
  private count = 0;
  /** Of the chunk that is scanned: where what is not kept yet begins. */
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

  /** @param chunk the next bytes @throws malformed_json, body_too_complex, payload_too_large, validation_failed */
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

  /** @returns the whole, once all has been taken; undefined for an empty body @throws malformed_json, validation_failed */
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
    // An operation that is not there is a fault of the outline, save where there is none at all.
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

  /** Puts aside what is not kept yet of the chunk. @param end index behind it */
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
          detail: 'What stands beside the operations of a bulk may have 1 MiB at most.',
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
      : tooComplex(PART_VALUES, this.inOperations ? 'An operation' : 'What stands beside the operations');
  }
}
