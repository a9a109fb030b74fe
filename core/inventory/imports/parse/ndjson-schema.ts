import { Type } from 'typebox';
import { LIFECYCLE_PHASES } from '../../cards/index.js';
import { DateOnly, Nullable, Strict, Uuid } from '../../../foundation/http/schemas.js';

const TypeKey = Type.String({ minLength: 1, maxLength: 63 });
const Name = Type.String({ minLength: 1, maxLength: 1_000 });
const Text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));
const Attributes = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

const Reference = Type.Union([
  Strict({ id: Uuid() }),
  Strict({ type: TypeKey, external_id: Type.String({ minLength: 1, maxLength: 500 }) }),
  Strict({
    type: TypeKey,
    name: Name,
    path: Type.Optional(Type.Union([Type.Array(Name, { maxItems: 100 }), Type.String({ maxLength: 10_000 })])),
  }),
]);

/** A line with a card; `type` may come from the options. */
export const CardLine = Strict({
  id: Type.Optional(Uuid()),
  type: Type.Optional(TypeKey),
  name: Type.Optional(Name),
  subtype: Text(100),
  description: Text(50_000),
  external_id: Text(500),
  alias: Text(500),
  parent_id: Type.Optional(Nullable(Uuid())),
  parent: Type.Optional(Nullable(Reference)),
  lifecycle: Type.Optional(Strict(Object.fromEntries(LIFECYCLE_PHASES.map((phase) => [phase, Text(10)])))),
  attributes: Attributes,
});

/** The value of `relation` in a line. */
export const RelationLine = Strict({
  id: Type.Optional(Uuid()),
  type: TypeKey,
  source_id: Type.Optional(Uuid()),
  source: Type.Optional(Reference),
  target_id: Type.Optional(Uuid()),
  target: Type.Optional(Reference),
  attributes: Attributes,
  description: Text(10_000),
  valid_from: Type.Optional(Nullable(DateOnly())),
  valid_to: Type.Optional(Nullable(DateOnly())),
});
