import { Type, type ErrorTable, type ModuleManifest, type TSchema, OneOf } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import valid from 'semver/functions/valid.js';
import validRange from 'semver/ranges/valid.js';
import { ERRORS } from '../../foundation/errors.js';
import { fieldErrors, schemaFault, strictAjv } from '../../foundation/http/ajv.js';
import { costFaults } from '../../foundation/http/schema-cost.js';
import { settingsCheck, wrongSecrets } from './settings-schema.js';

const ID = '^[a-z][a-z0-9_]{0,30}$';
/** Words reserved by the core in paths, permissions and tables. */
const RESERVED = new Set([
  'ai',
  'api',
  'core',
  'ext',
  'lintel',
  'auth',
  'users',
  'roles',
  'metamodel',
  'cards',
  'relations',
  'stakeholders',
  'comments',
  'documents',
  'todos',
  'tags',
  'views',
  'attributes',
  'lifecycle',
  'costs',
  'events',
  'notifications',
  'webhooks',
  'settings',
  'modules',
  'jobs',
  'imports',
  'files',
  'health',
  'ready',
  'metrics',
  'changes',
  'secrets',
  'sessions',
  // Tables of the core begin with these, and tables of a module with its id.
  'card',
  'card_counts',
  'cron',
  'event',
  'event_outbox',
  'file',
  'idempotency',
  'import',
  'lintel_migrations',
  'lintel_migrations_lock',
  'login',
  'module',
  'notification',
  'parked',
  'permission',
  'rate',
  'refresh',
  'relation',
  'stream',
  'tag',
  'webhook',
  'write',
  'email',
  'mail',
  'password',
  'sso',
  'user',
]);

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^\\S[^\\p{Cc}]*$' });
const List = (item: TSchema) => Type.Optional(Type.Array(item));
const Keyed = (properties: Record<string, TSchema>) => Type.Object(properties, { additionalProperties: false });
const Anything = () => Type.Optional(Type.Unknown());

const Schema = Type.Object({}, { additionalProperties: true });
const Key = Type.String({ pattern: '^[a-z][a-z0-9_]{0,60}$' });

/** The data of a manifest; functions are checked individually. */
const Shape = Keyed({
  id: Type.String({ pattern: ID }),
  version: Type.String(),
  title: Text(100),
  description: Text(500),
  host: Type.String(),
  requires: List(Type.String({ pattern: ID })),
  provides: List(Keyed({ capability: Keyed({ id: Type.String() }), make: Anything() })),
  uses: List(Keyed({ id: Type.String() })),
  permissions: Type.Array(
    Keyed({
      key: Type.String(),
      description: Text(200),
      roles: Type.Array(OneOf(['architect', 'member', 'viewer']), { uniqueItems: true }),
    }),
  ),
  cardPermissions: List(Keyed({ key: Type.String(), description: Text(200) })),
  settings: Type.Optional(
    Type.Object({ type: Type.Literal('object'), properties: Type.Object({}) }, { additionalProperties: true }),
  ),
  errors: Type.Optional(
    Type.Record(Type.String(), Type.Tuple([Type.Integer({ minimum: 400, maximum: 499 }), Text(100), Text(500)])),
  ),
  constraints: Type.Optional(Type.Record(Type.String(), Type.String())),
  migrations: Type.Optional(
    Type.Record(Type.String({ pattern: '^[0-9]{4}_[a-z0-9_]+$' }), Keyed({ up: Anything(), down: Anything() }), {
      additionalProperties: false,
    }),
  ),
  events: List(
    Keyed({
      kind: Type.String(),
      permission: Type.String(),
      cards: Type.Optional(
        Type.Union([
          Type.Literal('none'),
          Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]{0,60}$' }), { maxItems: 20 }),
        ]),
      ),
      fieldPermissions: Type.Optional(Type.Record(Type.String(), Type.String())),
      only: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_]{0,60}$' })),
      types: Type.Optional(Type.Record(Type.String(), Schema)),
    }),
  ),
  notifications: List(
    Keyed({ kind: Type.String(), title: Text(100), description: Text(200), email: Type.Optional(Type.Boolean()) }),
  ),
  cardSections: List(
    Keyed({
      key: Key,
      title: Text(100),
      permission: Type.String(),
      cardPermission: Type.Optional(Type.String()),
      types: List(Type.String()),
      schema: Schema,
      load: Anything(),
    }),
  ),
  exportColumns: List(
    Keyed({
      key: Key,
      title: Text(100),
      permission: Type.String(),
      sql: Anything(),
      type: OneOf(['text', 'number', 'boolean', 'date', 'timestamp']),
    }),
  ),
  importFormats: List(
    Keyed({
      id: Type.String({ pattern: '^[a-z][a-z0-9_]{0,60}$' }),
      title: Text(100),
      extensions: Type.Array(Type.String({ pattern: '^(\\.[a-z0-9]{1,20}){1,3}$' })),
      contentTypes: Type.Array(Type.String({ pattern: '^[a-z]+/[a-z0-9.+-]{1,100}$' })),
      parse: Anything(),
    }),
  ),
  connectors: List(
    Keyed({
      key: Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' }),
      title: Text(100),
      description: Text(500),
      config: Type.Object(
        { type: Type.Literal('object'), properties: Type.Object({}) },
        { additionalProperties: true },
      ),
      secrets: Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' }),
        Type.Object({ description: Text(500), isRequired: Type.Optional(Type.Boolean()) }),
      ),
      open: Anything(),
    }),
  ),
  reports: List(
    Keyed({
      id: Type.String({ pattern: '^[a-z][a-z0-9-]{0,60}$' }),
      title: Text(100),
      description: Text(500),
      permission: Type.String(),
      parameters: Type.Object(
        { type: Type.Literal('object'), properties: Type.Object({}) },
        { additionalProperties: true },
      ),
      cardFilters: Type.Optional(Type.Boolean()),
      answer: Schema,
      run: Anything(),
      tables: Anything(),
      picture: Anything(),
    }),
  ),
  cardRules: List(
    Keyed({
      key: Key,
      types: List(Type.String()),
      relationTypes: List(Type.String()),
      on: List(OneOf(['create', 'update', 'archive', 'restore', 'delete', 'approve', 'reject', 'reset'])),
      cards: Anything(),
      relations: Anything(),
    }),
  ),
  services: Anything(),
  routes: Anything(),
  routesDir: Anything(),
  activate: Anything(),
  cardsDeleted: Anything(),
  cardRoutes: Type.Optional(Keyed({ segment: Type.String({ pattern: '^[a-z][a-z0-9-]{0,40}$' }), routes: Anything() })),
  openapi: Type.Optional(Keyed({ tags: Type.Array(Keyed({ name: Text(60), description: Text(300) })) })),
  enabledByDefault: Type.Boolean(),
});
let shape: ValidateFunction | undefined;

const isFunction = (value: unknown): boolean => typeof value === 'function';
const CAPABILITY = /^([a-z][a-z0-9_]*)\.[a-z][a-z0-9_]*@\d+$/;

function* wrongFunctions(m: ModuleManifest): Iterable<string> {
  if (!isFunction(m.services)) yield '/services must be a function';
  for (const key of ['routes', 'activate', 'cardsDeleted'] as const)
    if (m[key] !== undefined && !isFunction(m[key])) yield `/${key} must be a function`;
  if (m.routesDir !== undefined && !(m.routesDir instanceof URL)) yield '/routesDir must be a URL';
  if (m.routes && m.routesDir) yield '/routesDir cannot be used together with /routes';
  if (m.cardRoutes && !isFunction(m.cardRoutes.routes)) yield '/cardRoutes/routes must be a function';
  for (const [name, { up, down }] of Object.entries(m.migrations ?? {}))
    if (!isFunction(up) || !isFunction(down)) yield `/migrations/${name} must have up and down`;
  for (const { capability, make } of m.provides ?? [])
    if (!isFunction(make)) yield `/provides: ${capability.id} must have make`;
  for (const { key, load } of m.cardSections ?? []) if (!isFunction(load)) yield `/cardSections: ${key} must have load`;
  for (const { key, sql } of m.exportColumns ?? []) if (!isFunction(sql)) yield `/exportColumns: ${key} must have sql`;
  for (const { id, run, tables, picture } of m.reports ?? [])
    if (!isFunction(run) || !isFunction(tables) || (picture !== undefined && !isFunction(picture)))
      yield `/reports: ${id} must have run and tables, and picture if it has a picture`;
  for (const { key, open } of m.connectors ?? []) if (!isFunction(open)) yield `/connectors: ${key} must have open`;
  for (const { key, cards, relations } of m.cardRules ?? []) {
    if (!cards && !relations) yield `/cardRules: ${key} must have cards or relations`;
    for (const call of [cards, relations])
      if (call !== undefined && !isFunction(call)) yield `/cardRules: cards and relations of ${key} must be functions`;
  }
  for (const { id, parse } of m.importFormats ?? [])
    if (!isFunction(parse)) yield `/importFormats: ${id} must have parse`;
}

function* wrongExtensions(m: ModuleManifest): Iterable<string> {
  for (const list of ['cardSections', 'exportColumns', 'cardRules', 'connectors'] as const)
    for (const key of twice(m[list]?.map((entry) => entry.key))) yield `/${list}: ${key} is there twice`;
  for (const id of twice(m.importFormats?.map((format) => format.id))) yield `/importFormats: ${id} is there twice`;
  for (const { id } of m.importFormats ?? [])
    if (id !== m.id && !id.startsWith(`${m.id}_`)) yield `/importFormats: ${id} must be ${m.id} or begin with ${m.id}_`;
  yield* wrongReports(m);
  yield* wrongConnectors(m);
  for (const { key, schema } of m.cardSections ?? []) yield* wrongSchema(`/cardSections: ${key}`, schema);
  for (const kind of twice(m.events?.map((event) => event.kind))) yield `/events: the kind ${kind} is there twice`;
  for (const { kind, types } of m.events ?? []) {
    for (const [type, schema] of Object.entries(types ?? {})) {
      if (!new RegExp(`^${kind}\\.[a-z][a-z0-9_]*$`).test(type))
        yield `/events: the type ${type} must be ${kind}.<past participle>`;
      yield* wrongSchema(`/events: ${type}`, schema);
    }
  }
}

/** Parameters that all reports have. */
const REPORT_PARAMETERS = ['format', 'width', 'theme', 'lang', 'as_of'];

function* wrongReports({ reports = [] }: ModuleManifest): Iterable<string> {
  for (const id of twice(reports.map((report) => report.id))) yield `/reports: ${id} is there twice`;
  for (const { id, parameters, answer } of reports) {
    yield* wrongSchema(`/reports: parameters of ${id}`, parameters);
    yield* wrongSchema(`/reports: answer of ${id}`, answer);
    for (const name of REPORT_PARAMETERS)
      if (Object.hasOwn(parameters.properties, name)) yield `/reports: ${id} must not have the parameter ${name}`;
  }
}

function* wrongConnectors({ connectors = [] }: ModuleManifest): Iterable<string> {
  for (const { key, config } of connectors) yield* wrongSchema(`/connectors: config of ${key}`, config);
}

const twice = (names: readonly string[] = []): string[] => names.filter((name, i) => names.indexOf(name) < i);

function* wrongSchema(where: string, schema: object): Iterable<string> {
  const fault = schemaFault(schema);
  if (fault !== undefined) yield `${where} has no JSON Schema: ${fault}`;
  else for (const fault of costFaults(schema, false)) yield `${where}: ${fault}`;
}

function* wrongNames(m: ModuleManifest): Iterable<string> {
  if (RESERVED.has(m.id)) yield `/id ${m.id} is a word of the core`;
  if (!valid(m.version)) yield '/version must be a semantic version';
  if (!validRange(m.host)) yield '/host must be a semver range';
  for (const { key } of m.permissions)
    if (!new RegExp(`^${m.id}\\.[a-z][a-z0-9_]*$`).test(key)) yield `/permissions: ${key} must be ${m.id}.<verb>`;
  for (const { key } of m.cardPermissions ?? [])
    if (!new RegExp(`^card\\.${m.id}_[a-z0-9_]+$`).test(key))
      yield `/cardPermissions: ${key} must be card.${m.id}_<verb>`;
  for (const { kind } of m.events ?? [])
    if (kind !== m.id && !kind.startsWith(`${m.id}_`))
      yield `/events: the kind ${kind} must be ${m.id} or begin with ${m.id}_`;
  // Such kinds are part of the text of statements.
  for (const { kind, only } of m.events ?? [])
    if (only !== undefined && !/^[a-z][a-z0-9_]{0,60}$/.test(kind))
      yield `/events: the kind ${kind} with only must be one word`;
  for (const { kind } of m.notifications ?? [])
    if (!new RegExp(`^${m.id}\\.[a-z][a-z0-9_]{0,60}$`).test(kind))
      yield `/notifications: ${kind} must be ${m.id}.<word>`;
  for (const kind of twice(m.notifications?.map((notice) => notice.kind)))
    yield `/notifications: the kind ${kind} is there twice`;
  for (const code of Object.keys(m.errors ?? {}))
    if (!code.startsWith(`${m.id}_`)) yield `/errors: ${code} must begin with ${m.id}_`;
  const codes: ErrorTable = { ...ERRORS, ...m.errors };
  for (const [constraint, code] of Object.entries(m.constraints ?? {})) {
    if (!constraint.startsWith(`${m.id}_`)) yield `/constraints: ${constraint} must begin with ${m.id}_`;
    if (!Object.hasOwn(codes, code)) yield `/constraints: ${code} is in no error table`;
  }
  for (const {
    capability: { id },
  } of m.provides ?? [])
    if (CAPABILITY.exec(id)?.[1] !== m.id) yield `/provides: ${id} must be ${m.id}.<verb>@<version>`;
  for (const { id } of m.uses ?? []) if (!CAPABILITY.test(id)) yield `/uses: ${id} must be <module>.<verb>@<version>`;
}

function* wrongSettings(m: ModuleManifest): Iterable<string> {
  if (!m.settings) return;
  yield* wrongSecrets(m.settings);
  for (const fault of costFaults(m.settings, false)) yield `/settings: ${fault}`;
  const validate = settingsCheck(m.settings);
  const defaults: unknown = {};
  if (validate(defaults)) return;
  for (const { field, reason } of fieldErrors(validate.errors ?? [], 'body'))
    yield `/settings: the default of ${field || 'all'} ${reason}`;
}

/** Cached faults of a manifest, because checking its schemas takes longer than the rest of the module's start. */
const found = new WeakMap<ModuleManifest, string[]>();

/**
 * Checks a manifest, once.
 * @param manifest result of `defineModule`; a module in plain JavaScript may export any value
 * @returns every fault; none when it is valid
 */
export function manifestFaults(manifest: ModuleManifest): string[] {
  // A module in plain JavaScript may export a value that cannot be a WeakMap key.
  if (typeof manifest !== 'object' || manifest === null) return allFaults(manifest);
  let faults = found.get(manifest);
  if (!faults) found.set(manifest, (faults = allFaults(manifest)));
  return [...faults];
}

function allFaults(manifest: ModuleManifest): string[] {
  const { id } = (manifest ?? {}) as { id?: unknown };
  if (typeof id === 'string' && id.includes('-'))
    return ['/id must not contain hyphens, because names of tables, permissions and error codes begin with it'];
  shape ??= strictAjv().compile(Shape);
  if (!shape(manifest)) return fieldErrors(shape.errors ?? [], 'body').map(({ field, reason }) => `${field} ${reason}`);
  try {
    return [
      ...wrongFunctions(manifest),
      ...wrongNames(manifest),
      ...wrongExtensions(manifest),
      ...wrongSettings(manifest),
    ];
  } catch (error) {
    return [`/settings is no JSON Schema: ${String(error)}`];
  }
}
