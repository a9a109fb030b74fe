import { Type, type TObject, type TProperties, type TSchema } from 'typebox';

/** A body or query: unknown members are refused, never dropped. */
export const Strict = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options });

/**
 * A string that is one of some values, and has their literal types.
 * @param values in the order the document shows them
 * @param options further keywords of the schema, such as `description`
 */
export const OneOf = <T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], ...options }));

/**
 * Some of a few values, by comma, for parameters that narrow lists.
 * @param values none of which has a comma or a character that means something in a pattern
 */
export const AnyOf = (values: readonly string[]) =>
  Type.String({
    maxLength: 100,
    pattern: `^(${values.join('|')})(,(${values.join('|')}))*$`,
    description: `Any of these by comma: ${values.join(', ')}.`,
  });

/** The schema, or null. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A UUID, in lower case as stored. */
export const Uuid = (options: Record<string, unknown> = {}) => Type.String({ format: 'uuid', ...options });
/**
 * A setting that is written and never shown: stored encrypted, given to the module alone, where it is empty until it is
 * set. Only a setting itself can be one, not a part of one.
 */
export const Secret = (options: Record<string, unknown> = {}) =>
  Type.String({ maxLength: 10_000, ...options, default: '', secret: true });
/** An instant: RFC 3339, UTC, milliseconds. */
export const Timestamp = () => Type.String({ format: 'date-time', examples: ['2026-01-15T10:00:00.000Z'] });
/** A date, `YYYY-MM-DD`. */
export const DateOnly = () => Type.String({ format: 'date', examples: ['2026-01-15'] });

/** Path parameters of a resource known by UUID; what is no UUID is a 404. */
export const IdParams = Strict({ id: Uuid() });

/** One invalid field, as errors and rows of bulks tell it. */
export const FieldErrorView = Type.Object(
  {
    field: Type.String({ description: 'A JSON pointer in a body, a name elsewhere.', examples: ['/name'] }),
    reason: Type.String(),
    in: Type.String({ enum: ['body', 'query', 'path', 'header'] }),
  },
  { 'x-name': 'FieldError' },
);

/** The response of what has nothing to say. */
export const NoContent = { 204: Type.Null({ description: 'Done.' }) };
