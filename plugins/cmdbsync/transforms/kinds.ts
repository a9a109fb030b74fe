import type { ConnectorRecord } from '@lintel/sdk';
import type { Transform } from '../mappings/definition.js';
import type { Value } from '../records/definition.js';
import { readDate, writeDate } from './dates.js';
import { compileExpression } from './expression.js';
import { MappingFault, MOST_TEXT, textOf, valueAt } from './values.js';

/** How a transform reads, and how it writes back where it can be inverted. */
export interface CompiledTransform {
  /** @throws MappingFault for a value that cannot be transformed */
  read(value: Value, record: ConnectorRecord): Value;
  /** @returns undefined for a value that has no counterpart in the other system */
  write?: (value: Value) => Value | undefined;
  /** Keys of fields that are read besides the source. */
  sources: readonly string[];
}

const TRUE = ['true', 'yes', 'y', '1', 'on'];
const FALSE = ['false', 'no', 'n', '0', 'off'];
const FIELDS = /\{([^{}]{1,200})\}/g;

/** Whether two keys of a value map have the same value, so that it cannot be inverted. */
const isAmbiguous = (values: Extract<Transform, { kind: 'value_map' }>['values']): boolean =>
  new Set(Object.values(values)).size < Object.keys(values).length;

/** Whether values can be written back to the other system. */
export function isInvertible(transform: Transform): boolean {
  switch (transform.kind) {
    case 'direct':
    case 'date':
    case 'number':
      return true;
    case 'boolean':
      return transform.true_values === undefined;
    case 'value_map':
      return !isAmbiguous(transform.values);
    default:
      return false;
  }
}

function valueMap({ values, otherwise }: Extract<Transform, { kind: 'value_map' }>): CompiledTransform {
  const known = new Map<string, Value>(Object.entries(values));
  const back = new Map<Value, string>([...known].map(([from, to]) => [to, from]));
  const isTotal = otherwise !== undefined;
  return {
    sources: [],
    read(value) {
      const text = textOf(value);
      if (known.has(text)) return known.get(text)!;
      return isTotal ? otherwise : value;
    },
    ...(!isAmbiguous(values) && {
      write: (value: Value) => back.get(value) ?? (value === null || !isTotal ? value : undefined),
    }),
  };
}

function toBoolean({ true_values }: Extract<Transform, { kind: 'boolean' }>): CompiledTransform {
  const yes = new Set((true_values ?? TRUE).map((text) => text.toLowerCase()));
  return {
    sources: [],
    read(value) {
      const text = textOf(value).trim().toLowerCase();
      if (text === '') return null;
      if (yes.has(text)) return true;
      if (true_values === undefined && !FALSE.includes(text)) throw new MappingFault('is neither true nor false');
      return false;
    },
    ...(true_values === undefined && { write: (value: Value) => value }),
  };
}

/** Fourteen digits, so that a value of a card that was written is read as the same: 3 times 0.1 is 0.3. */
const scaled = (number: number, factor: number): number => {
  const product = number * factor;
  return factor === 1 || Number.isInteger(product) ? product : Number(product.toPrecision(14));
};

function toNumber({ factor = 1, decimals }: Extract<Transform, { kind: 'number' }>): CompiledTransform {
  return {
    sources: [],
    read(value) {
      const text = textOf(value).trim();
      if (text === '') return null;
      // Hexadecimal and other notations of JavaScript are no numbers of a CMDB.
      const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text)
        ? scaled(Number(text), factor)
        : Number.NaN;
      if (!Number.isFinite(number)) throw new MappingFault('is not a number');
      return decimals === undefined ? number : Number(number.toFixed(decimals));
    },
    // Fifteen digits, so that the division does not add digits that the number never had.
    write: (value) => (typeof value !== 'number' || factor === 1 ? value : Number((value / factor).toPrecision(15))),
  };
}

function template(text: string): CompiledTransform {
  const sources = [...text.matchAll(FIELDS)].map(([, name]) => name!.trim());
  return {
    sources,
    read(_value, { id, values }) {
      let isEmpty = sources.length > 0;
      const filled = text.replace(FIELDS, (_match, name: string) => {
        // Records of some systems have their id beside their values.
        const part = textOf(valueAt(values, name.trim()) ?? (name.trim() === 'id' ? id : null));
        if (part !== '') isEmpty = false;
        return part;
      });
      if (filled.length > MOST_TEXT) throw new MappingFault(`becomes longer than ${MOST_TEXT} characters`);
      return isEmpty ? null : filled.trim();
    },
  };
}

/** Compiles a transform, once for all records. @throws MappingFault for an invalid expression */
export function compileTransform(transform: Transform): CompiledTransform {
  switch (transform.kind) {
    case 'direct':
      return { sources: [], read: (value) => value, write: (value) => value };
    case 'date': {
      const { format = 'iso' } = transform;
      return {
        sources: [],
        read: (value) => readDate(value, format),
        write: (value) => (typeof value === 'string' ? writeDate(value, format) : null),
      };
    }
    case 'value_map':
      return valueMap(transform);
    case 'boolean':
      return toBoolean(transform);
    case 'number':
      return toNumber(transform);
    case 'template':
      return template(transform.template);
    case 'expression': {
      const { evaluate, sources } = compileExpression(transform.expression);
      return { sources, read: (value, record) => evaluate(record.values, value, record.id) };
    }
  }
}
