/** Generators of values that a schema accepts; ids are those of existing objects, as far as the names of members tell their kind. */
import fc from 'fast-check';
import { PASSWORD } from '../support/app.js';
import type { Schema } from './document.js';
import { token } from './world.js';

type Any = fc.Arbitrary<unknown>;

/** The passwords of the users of the drive, before and after a change. */
export const PASSWORDS: readonly string[] = [PASSWORD, `${PASSWORD}-2`];

const pickOf = (kind: string): fc.Arbitrary<string> => fc.nat(1_000).map((n) => token(kind, n));

const WORDS = [
  'Billing',
  'Ledger',
  'Größe',
  'Архив',
  'Αρχείο',
  '日本語',
  'İstanbul',
  'naïve café',
  '🚀 launch',
  'crew',
  'rail',
  'O’Brien & Sons',
  'α/β',
  '100 %',
  '"quoted"',
  "it's",
  'a\nb',
  '\u202eright to left',
];
const DAYS = ['2019-02-28', '2020-02-29', '2023-12-31', '2024-01-01', '2026-06-01', '2031-01-01'];

export const someText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.tuple(fc.constantFrom(...WORDS), fc.nat(100_000)).map(([word, n]) => `${word} ${n}`),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
);
const someDay: fc.Arbitrary<string> = fc.constantFrom(...DAYS);
const someTime: fc.Arbitrary<string> = fc.oneof(
  fc.constant('2026-01-15T10:00:00.000Z'),
  fc.constant('2020-02-29T23:59:59Z'),
  fc.constant('2026-01-15T10:00:00+02:00'),
);

/** Values of attributes by the kind of their field. */
const ATTRIBUTE_VALUES: Record<string, Any> = {
  number: fc.oneof(fc.nat(1_000), fc.double({ min: 0, max: 1e6, noNaN: true })),
  integer: fc.nat(100_000),
  cost: fc.oneof(fc.nat(1_000_000), fc.constant(0.01), fc.constant(1234.5)),
  percentage: fc.nat(100),
  boolean: fc.boolean(),
  date: someDay,
  url: fc.constant('https://example.org/a?b=c'),
  email: fc.constant('a@example.org'),
  user: pickOf('users'),
  card_reference: pickOf('cards'),
  text: someText,
  multiline: someText,
};

export interface FieldInfo {
  key: string;
  kind: string;
  options: string[];
}
/** The fields of card types and relation types, read from the running service. */
export type Fields = Readonly<Record<string, readonly FieldInfo[]>>;

function valueOf({ kind, options }: FieldInfo): Any {
  if (kind === 'single_select') return fc.constantFrom(...options);
  if (kind === 'multiple_select') return fc.uniqueArray(fc.constantFrom(...options), { maxLength: 3 });
  return ATTRIBUTE_VALUES[kind] ?? someText;
}

const attributesOf = (fields: readonly FieldInfo[]): Any => {
  const known = Object.fromEntries(
    fields
      .filter(({ kind, options }) => !kind.endsWith('select') || options.length > 0)
      .map((f) => [f.key, fc.option(valueOf(f), { freq: 8 })]),
  );
  return fc.record(known, { requiredKeys: [] });
};
const lifecycle = fc.constantFrom<Record<string, string | null>>(
  {},
  { active: '2024-01-01' },
  { plan: '2023-01-01', phaseIn: '2023-06-01', active: '2024-01-01', phaseOut: '2029-01-01', endOfLife: '2030-01-01' },
  { plan: '2026-01-01', endOfLife: null },
);

/** Members and parameters that contain ids, with the kind of object. */
const NAMED: [RegExp, string][] = [
  [
    /^(source_id|target_id|parent_id|card_id|((source|target|related)_)?root_id|ids?|subject_id|new_parent_id)$/,
    'cards',
  ],
  [/^(user_id|assignee_id|actor_id|stakeholder_id|owner_id|owner|awaiting)$/, 'users'],
  [/^user_ids$/, 'signatories'],
  [/^(adr_id|related_to)$/, 'adr'],
  [/^(tag|tag_ids)$/, 'tags'],
  [/^(role)$/, 'roles'],
  [/^(relation_type|(has|lacks)_relation)$/, 'relation-types'],
  [/^(source_type|target_type|restrict_to_types|allowed_parent_types)$/, 'types'],
  [/^cursor$/, 'cursor'],
];

/** Members that are seldom valid in a random body: each is omitted from so many bodies in ten. */
const RISKY: Record<string, number> = {
  subtype: 8,
  parent_id: 8,
  parent: 8,
  version: 7,
  attributes: 5,
  default: 8,
  pattern: 9,
  sections: 8,
  subtypes: 8,
  fields: 8,
  quality_weights: 7,
  stakeholder_roles: 8,
  allowed_parent_types: 8,
  translations: 6,
  permissions: 6,
  max_level: 7,
  restrict_to_types: 6,
  api_version: 9,
  provider: 5,
  ends_on: 6,
  merge: 8,
  split: 9,
  change_set: 7,
  option_id: 8,
};
const ABSENT = Symbol('absent');

/** Generates values for the schemas of one service. */
export class Values {
  /** @param fields the fields by type */
  constructor(private readonly fields: Fields) {}

  /** Mostly values that the schema accepts. @param name the member or parameter */
  of(schema: Schema, name = '', depth = 0): Any {
    const { anyOf, oneOf, allOf } = schema;
    if (schema.const !== undefined) return fc.constant(schema.const);
    // With `all_or_nothing` a request of random rows would nearly always fail, so that `per_row` is preferred.
    if (schema.enum)
      return fc.constantFrom(...schema.enum, ...(schema.enum.includes('per_row') ? ['per_row', 'per_row'] : []));
    const branches = anyOf ?? oneOf;
    if (branches && branches.length > 0) return fc.oneof(...branches.map((branch) => this.of(branch, name, depth)));
    if (allOf) return this.of(Object.assign({}, ...allOf) as Schema, name, depth);
    const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat();
    return fc.oneof(...types.map((type) => this.ofType(type, schema, name, depth)));
  }

  private ofType(type: string, schema: Schema, name: string, depth: number): Any {
    const { minimum = -1_000, maximum = 1_000_000 } = schema;
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.oneof(
          fc.integer({ min: Math.ceil(minimum), max: Math.min(Math.floor(maximum), Math.ceil(minimum) + 20) }),
          fc.constantFrom(Math.ceil(minimum), Math.floor(maximum)),
        );
      case 'number':
        return fc.oneof(
          fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }),
          fc.constantFrom(minimum, maximum),
        );
      case 'string':
        return this.text(schema, name);
      case 'array':
        return this.array(schema, name, depth);
      case 'object':
        return this.object(schema, name, depth);
      default:
        return fc.oneof(someText, fc.nat(), fc.boolean(), fc.jsonValue({ maxDepth: 2 }));
    }
  }

  /** Items that must differ are mostly one, because two random ids are often equal. */
  private array(
    { items = {}, minItems = 0, maxItems = 3, uniqueItems = false }: Schema,
    name: string,
    depth: number,
  ): Any {
    const item = this.of(items, name, depth + 1);
    const several = fc.array(item, {
      minLength: Math.min(minItems, 3),
      maxLength: Math.max(Math.min(maxItems, 4), minItems),
    });
    return uniqueItems && minItems <= 1
      ? fc.oneof(
          { weight: 3, arbitrary: fc.array(item, { minLength: minItems, maxLength: 1 }) },
          { weight: 1, arbitrary: several },
        )
      : several;
  }

  private object(schema: Schema, name: string, depth: number): Any {
    if (name === 'lifecycle') return lifecycle;
    const { properties = {}, required = [] } = schema;
    const open = schema.patternProperties
      ? Object.values(schema.patternProperties)[0]
      : typeof schema.additionalProperties === 'object'
        ? schema.additionalProperties
        : undefined;
    if (name === 'attributes')
      return fc.constantFrom(...Object.keys(this.fields)).chain((type) => attributesOf(this.fields[type]!));
    if (Object.keys(properties).length === 0 && open && depth < 6)
      return fc.dictionary(
        fc.constantFrom('a', 'b', 'name', 'Application', 'card.edit'),
        this.of(open, '', depth + 1),
        { maxKeys: 3 },
      );
    if (depth > 6) return fc.constant({});
    const made = fc
      .record(
        Object.fromEntries(
          Object.entries(properties).map(([key, s]) => {
            const value = this.of(s, key, depth + 1);
            const rarely = required.includes(key) ? undefined : RISKY[key];
            return [
              key,
              rarely === undefined
                ? value
                : fc.oneof(
                    { weight: 10 - rarely, arbitrary: value },
                    { weight: rarely, arbitrary: fc.constant(ABSENT) },
                  ),
            ];
          }),
        ),
        { requiredKeys: required.filter((key) => key in properties) },
      )
      .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ABSENT)));
    if (!('type' in properties && 'attributes' in properties)) return made;
    return fc.tuple(made, 'name' in properties ? this.card() : this.relation()).map(([all, { type, ...fitting }]) => {
      const kept = Object.entries(fitting).filter(([key]) => key in all);
      return { ...all, ...Object.fromEntries(kept), type };
    });
  }

  /** A type with attributes of this type, because attributes of another one are never accepted. */
  private card(): fc.Arbitrary<Record<string, unknown>> {
    const types = Object.keys(this.fields).filter((key) => /^[A-Z]/.test(key));
    return fc
      .constantFrom(...types)
      .chain((type) =>
        attributesOf(this.fields[type]!).map((attributes) => ({ type, attributes, parent_id: null, parent: null })),
      );
  }

  /** Mostly the relation type that is allowed between all cards. */
  private relation(): fc.Arbitrary<Record<string, unknown>> {
    return fc.oneof(
      { weight: 3, arbitrary: someText.map((kind) => ({ type: 'related', attributes: { kind } })) },
      { weight: 1, arbitrary: pickOf('relation-types').map((type) => ({ type, attributes: {} })) },
    );
  }

  private text(schema: Schema, name: string): Any {
    const { format, pattern, minLength = 0, maxLength = 200, examples } = schema;
    const kind = NAMED.find(([fits]) => fits.test(name))?.[1];
    const given = examples && examples.length > 0 ? [fc.constantFrom(...examples)] : [];
    if (kind !== undefined) return pickOf(kind);
    if (name === 'type') return fc.oneof(pickOf('types'), pickOf('relation-types'));
    if (format === 'uuid') return pickOf('any');
    if (format === 'date') return someDay;
    if (format === 'date-time') return someTime;
    if (format === 'email' || name === 'email')
      return fc.oneof(
        pickOf('emails'),
        fc.nat(10_000_000).map((n) => `drive-${n}@example.org`),
      );
    if (/password$/.test(name)) return fc.constantFrom(...PASSWORDS);
    if (format === 'uri' || name === 'url')
      return fc.constantFrom('https://example.org/', 'http://example.org/a?b=c#d');
    if (format === 'binary') return someText;
    if (name === 'key') return fc.nat(100_000).map((n) => `drive_${n}`);
    if (pattern !== undefined)
      return given[0] ?? fc.oneof(someText, fc.constantFrom('en', 'de', 'member', 'Application', 'a'));
    const cut = someText.map((text) => text.padEnd(minLength, 'x').slice(0, maxLength).toWellFormed());
    return fc.oneof(cut, ...given);
  }
}
