/**
 * The lifecycle of documents that are signed: draft → in_review → signed → superseded.
 *
 *     const lifecycle = documentLifecycle<Settings>({
 *       kind: 'adr', prefix: 'adr', table: 'adr_decisions', copied: ['title', 'title_key', 'context', 'search_text'],
 *       tag: 'adr', operation: 'Adr', label: 'an architecture decision', view: AdrView,
 *       permissions: { view: 'adr.view', manage: 'adr.manage', sign: 'adr.sign' },
 *       content: async (uow, id) => contentOf(await findAdr(uow, id)),
 *       copy: (uow, from, to) => copyLinks(uow, from, to),
 *       fourEyes: (settings) => settings.four_eyes,
 *     });
 *
 * - `migrations: { …, '0002_lifecycle': lifecycle.migration }`, after the one that creates the table. The number must not have a
 *   unique constraint, because revisions share it. List `adr_one_open`, `adr_one_signed` and `adr_revision` under
 *   `constraints` (`invalid_state`, `invalid_state`, `conflict`).
 * - `services: (host) => { const adrs = new AdrService(host); return { adrs, lifecycle: lifecycle.service(host, (ctx, id) => adrs.resource(ctx, id)) }; }`,
 *   where the second argument returns `{ version, body, derived? }` of one document.
 * - `routes: async (app, { services, host }) => { …own routes…; await app.register(lifecycle.routes, { services: services.lifecycle, host }); }`
 * - The view: `LifecycleFields` in the schema; `lifecycle.columns('d')` in the select list, or `services.lifecycle.read(ids)`.
 * - The module's PATCH and DELETE call `requireDraft(row)` with the locked row, after `checkVersion`.
 * - A document may be a `resource`, too: `shown: LifecycleFields`, `reads: lifecycleReads('adr')` with the prefix, `prepare` and `removing`
 *   by `lifecycle.lockDraft`.
 * - `events: [{ kind: 'adr', permission: 'adr.view', types: { …own, ...lifecycle.eventTypes } }]`
 */
import type { RequestContext } from '../context.js';
import type { ResourceResult } from '../http.js';
import { checkIdentifiers } from '../identifiers.js';
import type { ModuleMigration, ModuleRoutes } from '../module.js';
import type { ModuleServices, UnitOfWork } from '../services.js';
import { LifecycleRepository } from './repository.js';
import { lifecycleRoutes } from './routes.js';
import { lifecycleEvents, type LifecycleView } from './schemas.js';
import { DocumentLifecycleService } from './service.js';
import type { DocumentLifecycleSpec } from './spec.js';
import { lifecycleMigration } from './tables-repository.js';

export { canonicalJson, contentHash } from './canonical.js';
export {
  DocumentStatusField,
  FourEyesSetting,
  LIFECYCLE_EXAMPLE,
  LifecycleFields,
  Signatory,
  type LifecycleView,
} from './schemas.js';
export { lifecycleReads } from './repository.js';
export { DocumentLifecycleService } from './service.js';
export type { DocumentLifecycleSpec, DocumentMove, DocumentStatus, FourEyes } from './spec.js';

/** The result of `documentLifecycle`: parts of the module's manifest and of its services. */
export interface DocumentLifecycle<Settings> {
  /** Adds the columns of the lifecycle to the module's table, and creates the table of signatures. */
  readonly migration: ModuleMigration;
  /** SQL of `LifecycleFields` for the select list of the module's own queries. @param alias of its table */
  columns(alias: string): string;
  /** @param get reads a document as returned by `GET /{id}`; routes send it */
  service(
    host: ModuleServices<Settings>,
    get: (ctx: RequestContext, id: string) => Promise<Omit<ResourceResult, 'status'>>,
  ): DocumentLifecycleService<Settings>;
  readonly routes: ModuleRoutes<DocumentLifecycleService<Settings>, Settings>;
  /** The lifecycle data of many documents, in one statement; a document that was deleted meanwhile is omitted. */
  read(host: ModuleServices<Settings>, ids: readonly string[]): Promise<Map<string, LifecycleView>>;
  /** Locks a document that is to be changed or deleted; for `prepare` and `removing`. @throws not_found, invalid_state */
  lockDraft(host: ModuleServices<Settings>, uow: UnitOfWork, id: string): Promise<void>;
  /** Schemas of the events, for the manifest. */
  readonly eventTypes: ReturnType<typeof lifecycleEvents>;
}

/** Declares the lifecycle of one kind of document; see the top of this file. @throws if a name cannot be used in SQL */
export function documentLifecycle<Settings = Record<string, unknown>>(
  spec: DocumentLifecycleSpec<Settings>,
): DocumentLifecycle<Settings> {
  const { prefix, table, number = 'number', title = 'title', copied } = spec;
  checkIdentifiers([prefix, table, number, title, ...copied]);
  const rows = new LifecycleRepository({ prefix, table, number, title, copied });
  const service: DocumentLifecycle<Settings>['service'] = (host, get) =>
    new DocumentLifecycleService(spec, rows, host, get);
  // Reading and locking need no document view.
  const inner = (host: ModuleServices<Settings>) => service(host, () => Promise.reject(host.problem('not_found')));
  return {
    migration: lifecycleMigration({ prefix, table, number }),
    columns: rows.columns,
    service,
    read: (host, ids) => inner(host).read(ids),
    lockDraft: (host, uow, id) => inner(host).lockDraft(uow, id),
    routes: lifecycleRoutes(spec),
    eventTypes: lifecycleEvents(spec.kind),
  };
}
