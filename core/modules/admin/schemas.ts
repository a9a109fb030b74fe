import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, OneOf } from '../../foundation/http/schemas.js';

const FREE_FORM = { additionalProperties: true };
const State = OneOf(['discovered', 'enabled', 'disabled', 'failed', 'incompatible'], {
  description: 'discovered: never enabled; failed and incompatible: see `reason`.',
});

export const ModuleView = Type.Object(
  {
    id: Type.String(),
    version: Type.Integer({
      minimum: 0,
      description: 'Version of this resource: its ETag. 0 if nothing is stored for the module.',
    }),
    module_version: Nullable(Type.String({ description: 'Version of the module, by Semantic Versioning.' })),
    title: Type.String(),
    description: Nullable(Type.String()),
    state: State,
    enabled: Type.Boolean({ description: 'Whether it is enabled.' }),
    reason: Nullable(Type.String()),
    reason_code: Nullable(
      Type.String({
        description:
          'not_installed, broken, no_manifest, invalid_manifest, incompatible, requirement, migration, mount, activation or unstable.',
      }),
    ),
    update_reason: Nullable(
      Type.String({
        description:
          'Why an update found in the same location is not used: the previous version still serves requests.',
      }),
    ),
    external: Type.Boolean({
      description: 'Whether it is a third-party package, whose paths begin with `/api/v1/ext/`.',
    }),
    database_role: Type.Object({
      state: OneOf(['own', 'shared'], {
        description:
          'own: its SQL runs as a database role, and its migrations as another one, that has rights to its own tables and to no data of the platform besides id, type, name and status of cards; shared: as the database user of the service.',
      }),
      reason: Nullable(
        Type.String({ description: 'Why it is shared; with `own`, why its migrations have the rights of that user.' }),
      ),
    }),
    requires: Type.Array(Type.String()),
    required_by: Type.Array(Type.String()),
    permissions: Type.Array(Type.Object({ key: Type.String(), description: Type.String() })),
    routes: Type.Array(
      Type.Object({
        method: Type.String(),
        path: Type.String(),
        is_public: Type.Boolean({ description: 'Whether it can be called without logging in.' }),
      }),
    ),
    settings: Type.Object(
      {},
      {
        ...FREE_FORM,
        description: 'The effective settings, including defaults; for a secret only whether it `is_set`.',
      },
    ),
    settings_schema: Nullable(Type.Object({}, { ...FREE_FORM, description: 'JSON Schema of `settings`.' })),
  },
  {
    examples: [
      {
        id: 'adr',
        version: 2,
        module_version: '0.1.0',
        title: 'Architecture decisions',
        description: 'Architecture decision records.',
        state: 'enabled',
        enabled: true,
        reason: null,
        reason_code: null,
        update_reason: null,
        external: false,
        database_role: { state: 'shared', reason: 'It is part of Lintel.' },
        requires: [],
        required_by: [],
        permissions: [{ key: 'adr.view', description: 'See architecture decisions.' }],
        routes: [{ method: 'GET', path: '/api/v1/adr', is_public: false }],
        settings: { number_prefix: 'ADR' },
        settings_schema: { type: 'object', properties: { number_prefix: { type: 'string', default: 'ADR' } } },
      },
    ],
  },
);
export type ModuleView = Static<typeof ModuleView>;
export const ModulePage = Page(ModuleView);

export const ModuleParams = Strict({
  id: Type.String({
    minLength: 1,
    maxLength: 214,
    description: 'Id of a module; name of a package that could not be loaded.',
  }),
});

export const RemoveQuery = Strict({
  confirm: Type.Optional(
    Type.String({
      maxLength: 214,
      description: 'The id of the module, repeated; a 422 without it.',
      examples: ['hello'],
    }),
  ),
});

export const ModuleQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('id', 'title', 'state'),
  state: Type.Optional(Type.String({ maxLength: 200, description: 'Any of these states, comma separated.' })),
});
export type ModuleQuery = Static<typeof ModuleQuery>;

export const ModulePatch = Strict(
  {
    enabled: Type.Optional(Type.Boolean()),
    settings: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        ...FREE_FORM,
        maxProperties: 1_000,
        description: 'Merge patch: an absent setting is unchanged, `null` restores its default, and removes a secret.',
      }),
    ),
  },
  { minProperties: 1, examples: [{ enabled: true, settings: { number_prefix: 'ADR' } }] },
);
export type ModulePatch = Static<typeof ModulePatch>;

const Ids = (description: string) => Type.Array(Type.String(), { description });
export const RescanView = Type.Object(
  {
    loaded: Ids('New modules.'),
    updated: Ids('Modules of which another version is now used.'),
    removed: Ids('Modules whose code was removed; their data is kept.'),
    failed: Type.Array(Type.Object({ id: Type.String(), reason_code: Type.String(), reason: Type.String() }), {
      description: 'Versions that are not used. If a previous version was active, it still is.',
    }),
    ignored: Type.Array(Type.Object({ package: Type.String(), reason: Type.String() }), {
      description: 'Packages that are or should be modules and were not loaded.',
    }),
  },
  {
    examples: [
      {
        loaded: ['costs'],
        updated: [],
        removed: [],
        failed: [],
        ignored: [
          { package: '@acme/lintel-hello', reason: 'is not named: install it by POST /settings/modules/install' },
        ],
      },
    ],
  },
);
/** A package by its name: https://docs.npmjs.com/cli/configuring-npm/package-json#name */
export const InstallBody = Strict(
  {
    package: Type.String({
      minLength: 1,
      maxLength: 214,
      pattern: '^(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*$',
    }),
  },
  { examples: [{ package: '@acme/lintel-hello' }] },
);
export type InstallBody = Static<typeof InstallBody>;
export type RescanView = Static<typeof RescanView>;

export const SubscriptionPage = Page(
  Type.Object(
    {
      name: Type.String(),
      position: Type.Integer({ description: 'Position of the last event delivered.' }),
      behind: Type.Integer({ minimum: 0, description: 'Number of later events in the log.' }),
      parked: Type.Integer({ minimum: 0, description: 'Number of parked events.' }),
    },
    { examples: [{ name: 'roll_up', position: 4711, behind: 0, parked: 0 }] },
  ),
);
export const SubscriptionQuery = Strict({ ...PageQuery, sort_by: SortBy('name') });

export const ParkedPage = Page(
  Type.Object(
    {
      subscription: Type.String(),
      position: Type.Integer(),
      type: Nullable(Type.String({ description: 'Type of the event; null if it is no longer retained.' })),
      error: Type.String(),
      attempts: Type.Integer({ minimum: 1 }),
      parked_at: Timestamp(),
      is_due: Type.Boolean({ description: 'A retry is scheduled.' }),
    },
    {
      examples: [
        {
          subscription: 'roll_up',
          position: 4711,
          type: 'card.updated',
          error: 'the budget is gone',
          attempts: 5,
          parked_at: '2026-01-15T10:00:00.000Z',
          is_due: false,
        },
      ],
    },
  ),
);
export const ParkedQuery = Strict({ ...PageQuery, sort_by: SortBy('parked_at') });
export const ParkedParams = Strict({
  ...ModuleParams.properties,
  subscription: Type.String({ minLength: 1, maxLength: 100 }),
  position: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }),
});
