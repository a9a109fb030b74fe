import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, OneOf } from '../../foundation/http/schemas.js';

const FREE_FORM = { additionalProperties: true };
const State = OneOf(['discovered', 'enabled', 'disabled', 'failed', 'incompatible'], {
  description: 'discovered: never enabled; failed and incompatible: `reason` says why it does not run.',
});

export const ModuleView = Type.Object(
  {
    id: Type.String(),
    version: Type.Integer({
      minimum: 0,
      description: 'Of this resource: its ETag. 0 where nothing is stored of the module.',
    }),
    module_version: Nullable(Type.String({ description: 'Of the module, by Semantic Versioning.' })),
    title: Type.String(),
    description: Nullable(Type.String()),
    state: State,
    enabled: Type.Boolean({ description: 'Whether it shall run.' }),
    reason: Nullable(Type.String()),
    reason_code: Nullable(
      Type.String({
        description:
          'not_installed, broken, no_manifest, invalid_manifest, incompatible, requirement, migration, mount or activation.',
      }),
    ),
    update_reason: Nullable(
      Type.String({
        description: 'Why what was found in its place since does not serve: the version before it still does.',
      }),
    ),
    external: Type.Boolean({
      description: 'Whether it is a partner’s package, whose paths begin with `/api/v1/ext/`.',
    }),
    requires: Type.Array(Type.String()),
    required_by: Type.Array(Type.String()),
    permissions: Type.Array(Type.Object({ key: Type.String(), description: Type.String() })),
    routes: Type.Array(Type.Object({ method: Type.String(), path: Type.String() })),
    settings: Type.Object(
      {},
      { ...FREE_FORM, description: 'As they apply, defaults included; of a secret only whether it `is_set`.' },
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
        requires: [],
        required_by: [],
        permissions: [{ key: 'adr.view', description: 'See architecture decisions.' }],
        routes: [{ method: 'GET', path: '/api/v1/adr' }],
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
      description: 'The id of the module once more; a 422 without it.',
      examples: ['hello'],
    }),
  ),
});

export const ModuleQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('id', 'title', 'state'),
  state: Type.Optional(Type.String({ maxLength: 200, description: 'Any of these states, by comma.' })),
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
        description: 'Merge patch: a setting not sent stays, `null` returns it to its default, and removes a secret.',
      }),
    ),
  },
  { minProperties: 1, examples: [{ enabled: true, settings: { number_prefix: 'ADR' } }] },
);
export type ModulePatch = Static<typeof ModulePatch>;

const Ids = (description: string) => Type.Array(Type.String(), { description });
export const RescanView = Type.Object(
  {
    loaded: Ids('Modules that were not there before.'),
    updated: Ids('Modules another version of which serves now.'),
    removed: Ids('Modules whose code is gone; what they stored is not.'),
    failed: Type.Array(Type.Object({ id: Type.String(), reason_code: Type.String(), reason: Type.String() }), {
      description: 'What does not serve. Where a version before it served, that one still does.',
    }),
  },
  { examples: [{ loaded: ['costs'], updated: [], removed: [], failed: [] }] },
);
export type RescanView = Static<typeof RescanView>;

export const SubscriptionPage = Page(
  Type.Object(
    {
      name: Type.String(),
      position: Type.Integer({ description: 'Of the last event it was given.' }),
      behind: Type.Integer({ minimum: 0, description: 'Events in the log after that.' }),
      parked: Type.Integer({ minimum: 0, description: 'Events it has given up on.' }),
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
      type: Nullable(Type.String({ description: 'Of the event; null where it is retained no longer.' })),
      error: Type.String(),
      attempts: Type.Integer({ minimum: 1 }),
      parked_at: Timestamp(),
      is_due: Type.Boolean({ description: 'It is about to be tried once more.' }),
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
