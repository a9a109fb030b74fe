import { FieldErrorView } from '@lintel/sdk';
import { Type } from 'typebox';

// The same building blocks that modules use.
export {
  ActorView,
  DateOnly,
  FieldErrorView,
  IdParams,
  NoContent,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Uuid,
} from '@lintel/sdk';

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ examples: ['/problems/validation_failed'] }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String(),
    code: Type.String({ examples: ['validation_failed'] }),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(FieldErrorView)),
    has_more_errors: Type.Optional(
      Type.Boolean({ description: 'There are more invalid fields than `errors` lists: validation stops after 100.' }),
    ),
  },
  { additionalProperties: true, description: 'RFC 9457 problem details.' },
);

/** Media type of JSON Patch (RFC 6902). */
export const JSON_PATCH = 'application/json-patch+json';
