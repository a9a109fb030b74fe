/**
 * The life of documents that are signed: draft → in_review → signed → superseded.
 *
 *     const life = documentLife<Settings>({
 *       kind: 'adr', prefix: 'adr', table: 'adr_decisions', copied: ['title', 'title_key', 'context', 'search_text'],
 *       tag: 'adr', operation: 'Adr', label: 'an architecture decision', view: AdrView,
 *       permissions: { view: 'adr.view', manage: 'adr.manage', sign: 'adr.sign' },
 *       content: async (uow, id) => contentOf(await findAdr(uow, id)),
 *       copy: (uow, from, to) => copyLinks(uow, from, to),
 *       fourEyes: (settings) => settings.four_eyes,
 *     });
 *
 * - `migrations: { …, '0002_life': life.migration }`, after the one that creates the table. The number must not have a
 *   unique constraint, because revisions share it. List `adr_one_open`, `adr_one_signed` and `adr_revision` under
 *   `constraints` (`invalid_state`, `invalid_state`, `conflict`).
 * - `services: (host) => { const adrs = new AdrService(host); return { adrs, life: life.service(host, (ctx, id) => adrs.resource(ctx, id)) }; }`,
 *   where the second argument returns `{ version, body, derived? }` of one document.
 * - `routes: async (app, { services, host }) => { …own routes…; await app.register(life.routes, { services: services.life, host }); }`
 * - The view: `LifeFields` in the schema; `life.columns('d')` in the select list, or `services.life.read(ids)`.
 * - The module's PATCH and DELETE call `requireDraft(row)` with the locked row, after `checkVersion`.
 * - A document may be a `resource`, too: `shown: LifeFields`, `present` by `life.read`, `prepare` and `removing` by
 *   `life.lockDraft`.
 * - `events: [{ kind: 'adr', permission: 'adr.view', types: { …own, ...life.eventTypes } }]`
 */
import type { RequestContext } from '../context.js';
import type { ResourceResult } from '../http.js';
import { checkIdentifiers } from '../identifiers.js';
import type { ModuleMigration, ModuleRoutes } from '../module.js';
import type { ModuleServices, UnitOfWork } from '../services.js';
import { LifeRepository } from './repository.js';
import { lifeRoutes } from './routes.js';
import { lifeEvents, type LifeView } from './schemas.js';
import { DocumentLifeService } from './service.js';
import type { DocumentLifeSpec } from './spec.js';
import { lifeMigration } from './tables-repository.js';

export { canonicalJson, contentHash } from './canonical.js';
export { DocumentStatusField, FourEyesSetting, LIFE_EXAMPLE, LifeFields, Signatory, type LifeView } from './schemas.js';
export { DocumentLifeService } from './service.js';
export type { DocumentLifeSpec, DocumentMove, DocumentStatus, FourEyes } from './spec.js';

/** The result of `documentLife`: parts of the module's manifest and of its services. */
export interface DocumentLife<Settings> {
  /** Adds the columns of the life cycle to the module's table, and creates the table of signatures. */
  readonly migration: ModuleMigration;
  /** SQL of `LifeFields` for the select list of the module's own queries. @param alias of its table */
  columns(alias: string): string;
  /** @param get reads a document as returned by `GET /{id}`; routes send it */
  service(
    host: ModuleServices<Settings>,
    get: (ctx: RequestContext, id: string) => Promise<Omit<ResourceResult, 'status'>>,
  ): DocumentLifeService<Settings>;
  readonly routes: ModuleRoutes<DocumentLifeService<Settings>, Settings>;
  /** The life-cycle data of many documents, in one statement; for `present` of a document that is a `resource`. */
  read(host: ModuleServices<Settings>, ids: readonly string[]): Promise<Map<string, LifeView>>;
  /** Locks a document that is to be changed or deleted; for `prepare` and `removing`. @throws not_found, invalid_state */
  lockDraft(host: ModuleServices<Settings>, uow: UnitOfWork, id: string): Promise<void>;
  /** Schemas of the events, for the manifest. */
  readonly eventTypes: ReturnType<typeof lifeEvents>;
}

/** Declares the life cycle of one kind of document; see the top of this file. @throws if a name cannot be used in SQL */
export function documentLife<Settings = Record<string, unknown>>(
  spec: DocumentLifeSpec<Settings>,
): DocumentLife<Settings> {
  const { prefix, table, number = 'number', title = 'title', copied } = spec;
  checkIdentifiers([prefix, table, number, title, ...copied]);
  const rows = new LifeRepository({ prefix, table, number, title, copied });
  const service: DocumentLife<Settings>['service'] = (host, get) => new DocumentLifeService(spec, rows, host, get);
  // Reading and locking need no document view.
  const inner = (host: ModuleServices<Settings>) => service(host, () => Promise.reject(host.problem('not_found')));
  return {
    migration: lifeMigration({ prefix, table, number }),
    columns: rows.columns,
    service,
    read: (host, ids) => inner(host).read(ids),
    lockDraft: (host, uow, id) => inner(host).lockDraft(uow, id),
    routes: lifeRoutes(spec),
    eventTypes: lifeEvents(spec.kind),
  };
}
