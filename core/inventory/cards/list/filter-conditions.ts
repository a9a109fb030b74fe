import { isUuid } from '../../../foundation/ids.js';
import type { FieldError } from '../../../foundation/errors.js';
import { commaSeparated } from '../comma-separated.js';

/** Conditions of filters that are being compiled, and the errors of invalid ones. */
export class FilterConditions {
  readonly where: string[] = [];
  readonly errors: FieldError[] = [];

  bad(field: string, reason: string): void {
    this.errors.push({ field, reason, in: 'query' });
  }

  /** The ids of a list; undefined, with an error, where it is empty or one is invalid. */
  uuids(field: string, text: string): string[] | undefined {
    const values = commaSeparated(text);
    if (values.length > 0 && values.every(isUuid)) return values;
    this.bad(field, 'must be one or more UUIDs');
    return undefined;
  }

  /**
   * The keys of a list; undefined, with an error, where it is empty or one is unknown.
   * @param noun what a key names, such as `card type`
   */
  keys(field: string, text: string, isKnown: (key: string) => boolean, noun: string): string[] | undefined {
    const values = commaSeparated(text);
    const unknown = values.find((value) => !isKnown(value));
    if (unknown === undefined && values.length > 0) return values;
    this.bad(field, `${unknown ?? 'it'} is no ${noun}`);
    return undefined;
  }

  /** The same, or `special` where the list consists of this word alone, which takes precedence over a key. */
  keysOr<W extends string>(
    field: string,
    text: string,
    special: W,
    isKnown: (key: string) => boolean,
    noun: string,
  ): string[] | W | undefined {
    const values = commaSeparated(text);
    if (!values.includes(special)) return this.keys(field, text, isKnown, noun);
    if (values.length === 1) return special;
    this.bad(field, `${special} cannot be combined with others`);
    return undefined;
  }
}
