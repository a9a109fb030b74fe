import { Type, type TObject, type TProperties, type TSchema } from 'typebox';

/** The schema of a body or query: unknown members are refused, not ignored. */
export const Strict = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options });

/**
 * A string with given values, typed with their literal types.
 * @param values in the order of the OpenAPI document
 * @param options further keywords of the schema, such as `description`
 */
export const OneOf = <T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], ...options }));

/**
 * One or more of given values, separated by commas, for parameters that filter lists.
 * @param values without commas and characters with a meaning in regular expressions
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
/** The user of an event or of an entry of a history; null where there was none. @param options of the object */
export const ActorView = (options: Record<string, unknown> = {}) =>
  Nullable(
    Type.Object(
      {
        id: Uuid(),
        display_name: Type.String(),
        token: Type.Optional(
          Type.Object({ id: Uuid(), name: Type.String() }, { description: 'The API token by which the user acted.' }),
        ),
      },
      options,
    ),
  );
/**
 * A setting that can be written but not read: stored encrypted, available only to the module, and empty until it is
 * set. Only a top-level setting can be a secret, not a part of one.
 * @param options of the schema; `boundTo`: the setting in plain text that determines where the secret is sent, after whose change
 *   it has to be sent again
 */
export const Secret = (options: Record<string, unknown> & { boundTo?: string } = {}) =>
  Type.String({ maxLength: 10_000, ...options, default: '', secret: true });
/**
 * The `body` of a route in a scope with `takeForms`: a form with files.
 * @param field the field of the form, as for `upload`
 * @param description of the files
 */
export const FilesForm = (field: string, description: string) => ({
  content: {
    'multipart/form-data': {
      schema: Type.Object(
        {
          [field]: Type.Array(Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' }), {
            description,
          }),
        },
        { examples: [{ [field]: ['the bytes of a file'] }] },
      ),
    },
  },
});
/**
 * A `response` that is a file, sent with `sendBytes` or `sendStream`.
 * @param type media type, such as `application/pdf`
 */
export const FileResponse = (type: string, description: string) => ({
  description,
  content: { [type]: { schema: Type.String({ contentMediaType: type, examples: ['the bytes of the file'] }) } },
});
/** An instant: RFC 3339, UTC, milliseconds. */
export const Timestamp = () => Type.String({ format: 'date-time', examples: ['2026-01-15T10:00:00.000Z'] });
/** A date, `YYYY-MM-DD`. */
export const DateOnly = () => Type.String({ format: 'date', examples: ['2026-01-15'] });

/** Path parameters of a resource with a UUID; a value that is not a UUID is a 404. */
export const IdParams = Strict({ id: Uuid() });

/** One invalid field, as in errors and rows of bulk requests. */
export const FieldErrorView = Type.Object(
  {
    field: Type.String({ description: 'A JSON pointer in a body, a name elsewhere.', examples: ['/name'] }),
    reason: Type.String(),
    in: Type.String({ enum: ['body', 'query', 'path', 'header'] }),
    code: Type.Optional(
      Type.String({ description: 'In a row of a bulk request: the code with which a rule of a module refused it.' }),
    ),
  },
  { 'x-name': 'FieldError' },
);

/** An empty response. */
export const NoContent = { 204: Type.Null({ description: 'Done.' }) };
