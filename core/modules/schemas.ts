import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict } from '../http/schemas.js';

const FREE_FORM = { additionalProperties: true };
const State = Type.String({
  enum: ['discovered', 'enabled', 'disabled', 'failed', 'incompatible'],
  description: 'discovered: never enabled; failed and incompatible: `reason` says why it does not run.',
});

export const ModuleView = Type.Object({
  id: Type.String(),
  version: Type.Integer({ minimum: 0, description: 'Of this resource: its ETag. 0 where nothing is stored of the module.' }),
  module_version: Nullable(Type.String({ description: 'Of the module, by Semantic Versioning.' })),
  title: Type.String(),
  description: Nullable(Type.String()),
  state: State,
  enabled: Type.Boolean({ description: 'Whether it shall run.' }),
  reason: Nullable(Type.String()),
  reason_code: Nullable(Type.String({ description: 'not_installed, broken, no_manifest, invalid_manifest, incompatible, requirement, migration, mount or activation.' })),
  external: Type.Boolean({ description: 'Whether it is a partner’s package, whose paths begin with `/api/v1/ext/`.' }),
  requires: Type.Array(Type.String()),
  required_by: Type.Array(Type.String()),
  permissions: Type.Array(Type.Object({ key: Type.String(), description: Type.String() })),
  routes: Type.Array(Type.Object({ method: Type.String(), path: Type.String() })),
  settings: Type.Object({}, { ...FREE_FORM, description: 'As they apply, defaults included.' }),
  settings_schema: Nullable(Type.Object({}, { ...FREE_FORM, description: 'JSON Schema of `settings`.' })),
}, {
  examples: [{
    id: 'adr', version: 2, module_version: '0.1.0', title: 'Architecture decisions', description: 'Architecture decision records.', state: 'enabled', enabled: true,
    reason: null, reason_code: null, external: false, requires: [], required_by: [], permissions: [{ key: 'adr.view', description: 'See architecture decisions.' }],
    routes: [{ method: 'GET', path: '/api/v1/adr' }], settings: { number_prefix: 'ADR' }, settings_schema: { type: 'object', properties: { number_prefix: { type: 'string', default: 'ADR' } } },
  }],
});
export type ModuleView = Static<typeof ModuleView>;
export const ModulePage = Page(ModuleView);

export const ModuleParams = Strict({ id: Type.String({ minLength: 1, maxLength: 214, description: 'Id of a module; name of a package that could not be loaded.' }) });

export const ModuleQuery = Strict({
  ...PageQuery, sort_by: SortBy('id', 'title', 'state'),
  state: Type.Optional(Type.String({ maxLength: 200, description: 'Any of these states, by comma.' })),
});
export type ModuleQuery = Static<typeof ModuleQuery>;

export const ModulePatch = Strict({
  enabled: Type.Optional(Type.Boolean()),
  settings: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', ...FREE_FORM, description: 'Merge patch: a setting not sent stays, `null` returns it to its default.' })),
}, { minProperties: 1, examples: [{ enabled: true, settings: { number_prefix: 'ADR' } }] });
export type ModulePatch = Static<typeof ModulePatch>;
