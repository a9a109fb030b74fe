/** Reads values of feeds, which are texts of strangers, and collects everything that is not valid. */
import { FeedFaults, type Fault } from './definition.js';

/** Reported faults of one feed. */
const MOST_FAULTS = 100;
// Neither the calendar nor the database has a year 0.
const DAY = /^(?!0000)\d{4}-\d\d-\d\d$/;

/** Whether a text is a day of the calendar. */
export const isDay = (text: string): boolean =>
  DAY.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

/** The reader of one feed. */
export class FeedReader {
  private readonly faults: Fault[] = [];

  /** Notes a fault. */
  fault(field: string, reason: string): undefined {
    if (this.faults.length < MOST_FAULTS) this.faults.push({ field, reason });
    return undefined;
  }

  /** @throws FeedFaults with all faults, if there are any */
  end(): void {
    if (this.faults.length > 0) throw new FeedFaults(this.faults);
  }

  /** @throws FeedFaults if the bytes are not JSON in UTF-8 */
  json(bytes: Uint8Array, field: string): unknown {
    const text = this.utf8(bytes, field);
    try {
      return text === undefined ? undefined : JSON.parse(text);
    } catch {
      return this.fault(field, 'is not JSON');
    }
  }

  utf8(bytes: Uint8Array, field: string): string | undefined {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return this.fault(field, 'is not UTF-8');
    }
  }

  /** An object; its members are read by name. */
  object(value: unknown, field: string): Record<string, unknown> | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return this.fault(field, 'must be an object');
  }

  list(value: unknown, field: string, most: number): unknown[] {
    if (!Array.isArray(value)) this.fault(field, 'must be an array');
    else if (value.length > most) this.fault(field, `must not have more than ${most} items`);
    else return value as unknown[];
    return [];
  }

  /** A text of 1 to `most` characters that the database can store. */
  text(value: unknown, field: string, most: number): string | undefined {
    if (typeof value !== 'string') return this.fault(field, 'must be a string');
    const text = value.trim();
    if (text === '') return this.fault(field, 'must not be empty');
    if (text.length > most) return this.fault(field, `must not have more than ${most} characters`);
    if (!text.isWellFormed() || text.includes('\0')) return this.fault(field, 'has characters that are not allowed');
    return text;
  }

  /** The same, null if it is absent, null or empty. */
  optional(value: unknown, field: string, most: number): string | null {
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return null;
    return this.text(value, field, most) ?? null;
  }

  day(value: unknown, field: string): string | undefined {
    if (typeof value === 'string' && isDay(value)) return value;
    return this.fault(field, 'must be a date, YYYY-MM-DD');
  }

  optionalDay(value: unknown, field: string): string | null {
    return value === undefined || value === null || value === '' ? null : (this.day(value, field) ?? null);
  }

  /** A day or a boolean, also as words; null if it is absent. */
  dayOrBoolean(value: unknown, field: string): string | boolean | null {
    if (value === undefined || value === null || value === '') return null;
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    if (typeof value === 'string' && isDay(value)) return value;
    return this.fault(field, 'must be a date, YYYY-MM-DD, or a boolean') ?? null;
  }
}
