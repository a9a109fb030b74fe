import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, OneOf } from '../../foundation/http/schemas.js';
import type { TypeRulesPatch } from './type-rules.js';

const KEY = '^[a-z][a-z0-9_]{0,62}$';
/** Excludes keys that are path segments of other routes. */
const NEW_KEY = '^(?!(?:permissions|explain)$)[a-z][a-z0-9_]{0,62}$';
const ONE_LINE = '^(?!\\s*$)[^\\p{Cc}\\p{Zl}\\p{Zp}]*$';
const MAX_KEYS = 1_000;

const Label = () => Type.String({ minLength: 1, maxLength: 200, pattern: ONE_LINE, examples: ['Portfolio manager'] });
const Description = () => Nullable(Type.String({ maxLength: 2_000 }));
const Color = () => Nullable(Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#2f6fde'] }));
const PermissionKey = () => Type.String({ minLength: 1, maxLength: 200 });
/** A list as in the response, or a map that is merged into the current permissions. */
const Permissions = () =>
  Type.Union(
    [
      Type.Array(PermissionKey(), { maxItems: MAX_KEYS, uniqueItems: true }),
      Type.Record(PermissionKey(), Nullable(Type.Boolean()), { maxProperties: MAX_KEYS }),
    ],
    {
      description:
        'All that are held, as a list; or a map that adds those that are `true` and takes away those that are `false` or `null`.',
    },
  );

const TypeKey = () => Type.String({ minLength: 1, maxLength: 200 });
/** Merged into the current rules of the role. */
const TypeRules = () =>
  Nullable(
    Type.Record(TypeKey(), Nullable(Type.Record(PermissionKey(), Nullable(Type.Boolean()), { maxProperties: 500 })), {
      maxProperties: 500,
    }),
  );
const TYPES =
  'Rules by card type, which decide for cards of that type: `false` denies what the role permits, `true` permits what it does not.';

export const RoleView = Type.Object({
  key: Type.String({ examples: ['portfolio_manager'] }),
  label: Type.String(),
  description: Nullable(Type.String()),
  color: Nullable(Type.String()),
  permissions: Type.Array(Type.String(), { description: 'Permissions of the catalogue; `*` for the administrator.' }),
  types: Type.Record(Type.String(), Type.Record(Type.String(), Type.Boolean()), {
    description: TYPES,
    examples: [{ Application: { 'cards.edit': false } }],
  }),
  is_system: Type.Boolean({ description: 'There from the start.' }),
  is_default: Type.Boolean({ description: 'Given to users who are given no other.' }),
  is_archived: Type.Boolean({ description: 'Cannot be given.' }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ minimum: 1 }),
});
export type RoleView = Static<typeof RoleView>;
export const RolePage = Page(RoleView);

export const RoleCreate = Strict(
  {
    key: Type.String({
      pattern: NEW_KEY,
      maxLength: 63,
      description: 'Fixed for good.',
      examples: ['portfolio_manager'],
    }),
    label: Label(),
    description: Type.Optional(Description()),
    color: Type.Optional(Color()),
    permissions: Type.Optional(Permissions()),
    types: Type.Optional(
      Type.Unsafe<TypeRulesPatch>({
        ...TypeRules(),
        description: `${TYPES} Only for permissions that are \`per_type\`; at most 2,000 in all.`,
      }),
    ),
  },
  {
    examples: [
      {
        key: 'portfolio_manager',
        label: 'Portfolio manager',
        permissions: ['cards.view', 'reports.view', 'costs.view'],
        types: { Objective: { 'costs.view': false } },
      },
    ],
  },
);
export type RoleCreate = Static<typeof RoleCreate>;

export const RolePatch = Strict(
  {
    label: Type.Optional(Label()),
    description: Type.Optional(Description()),
    color: Type.Optional(Color()),
    permissions: Type.Optional(Permissions()),
    types: Type.Optional(
      Type.Unsafe<TypeRulesPatch>({
        ...TypeRules(),
        description: `${TYPES} Merged into those there are; \`null\` takes a rule, or all of a type, away.`,
      }),
    ),
    is_default: Type.Optional(Type.Boolean({ description: '`true` moves it here from the role that had it.' })),
  },
  {
    minProperties: 1,
    examples: [
      {
        label: 'Portfolio manager',
        permissions: { 'cards.export': true },
        types: { Application: { 'cards.edit': false } },
      },
    ],
  },
);
export type RolePatch = Static<typeof RolePatch>;

/** The action has no parameters. */
export const RoleAction = Nullable(Strict({}, { examples: [{}] }));

export const RoleParams = Strict({ key: Type.String({ pattern: KEY }) });

export const RoleQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('label', 'key', 'created_at'),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the label or the key.' })),
  is_archived: Type.Optional(Type.Boolean()),
});
export type RoleQuery = Static<typeof RoleQuery>;

const Scope = () =>
  OneOf(['application', 'card'], {
    description: '`application`: held through a role. `card`: granted by a stakeholder role on its card.',
  });

export const PermissionView = Type.Object({
  key: Type.String({ examples: ['cards.edit'] }),
  description: Type.String(),
  scope: Scope(),
  owner: Type.String({ description: '`core`, or the id of the module that asks for it.' }),
  per_type: Type.Boolean({ description: 'Whether a role may have rules of it by card type.' }),
  roles: Type.Array(Type.String(), {
    description: 'Roles it is given to when it first appears, beside the administrator’s.',
  }),
});
export type PermissionView = Static<typeof PermissionView>;
export const PermissionPage = Page(PermissionView);

export const PermissionQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('key', 'owner'),
  scope: Type.Optional(Scope()),
  owner: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});
export type PermissionQuery = Static<typeof PermissionQuery>;
