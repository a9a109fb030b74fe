import { readFileSync } from 'node:fs';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static, TObject, TSchema } from 'typebox';
import type { PermissionDeclaration } from './access.js';
import type { CardRule } from './card-rules.js';
import type { ConnectorDeclaration } from './connectors.js';
import type { CardSection, ExportColumn, ImportFormat } from './extensions.js';
import type { Knex } from './knex.js';
import type { ErrorTable } from './problem.js';
import type { ReportDeclaration } from './reports.js';
import type { ModuleActivation, ModuleServices, UnitOfWork } from './services.js';

/** Version of this SDK; a manifest's `host` is a range of it. */
export const SDK_VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** Identifies a function that one module provides and others may use, with its version: `risks.create@1`. */
export interface Capability<T> {
  readonly id: string;
  /** Carries the type; never set. */
  readonly type?: T;
}

/** Declares a capability. @param id such as `risks.create@1`: the id of the providing module, a word, and a version that changes with the contract */
export const capability = <T>(id: string): Capability<T> => ({ id });

/** A provided capability, created by `provide`. */
export interface Provision<S> {
  readonly capability: Capability<unknown>;
  readonly make: (services: S) => unknown;
}

/** An entry of `provides`. */
export const provide = <S, T>(offered: Capability<T>, make: (services: S) => T): Provision<S> => ({
  capability: offered,
  make,
});

/** A migration, with knex on a separate transaction; `down` reverts `up`, for tests and removal. */
export interface ModuleMigration {
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

/** The options passed to the routes of a module. */
export interface RouteOptions<S, Settings = Record<string, unknown>> {
  services: S;
  host: ModuleServices<Settings>;
}

/** A Fastify plugin of routes. Paths are relative; every route declares `config.access`, `operationId`, `summary`, `tags`. */
export type ModuleRoutes<S, Settings = Record<string, unknown>> = FastifyPluginAsyncTypebox<RouteOptions<S, Settings>>;

/**
 * The values of the settings that a schema describes. Of `Static<T>` with a T that is yet to be inferred, the compiler would derive the values of all
 * schemas: 1.2 million instantiations for each manifest.
 */
export type SettingsOf<T extends TObject> = T extends TObject<infer P> ? Static<TObject<P>> : never;

/** The declaration of a module. It has no side effects: background work starts in `activate` and stops when the module is disabled. */
export interface ModuleManifest<S = unknown, T extends TObject = TObject> {
  /** Also the name of its folder, the first word of its paths, permissions, job types and tables (`<id>_…`). */
  id: string;
  version: string;
  title: string;
  description: string;
  /** Semver range of compatible SDK versions. */
  host: string;
  /** Ids of required modules. */
  requires?: readonly string[];
  provides?: readonly Provision<S>[];
  /** Capabilities it uses while the providing modules are enabled. */
  uses?: readonly Capability<unknown>[];
  /** Keys begin with `<id>.`. */
  permissions: readonly PermissionDeclaration[];
  /** Permissions that a stakeholder role can grant on its card; keys begin with `card.<id>_`. */
  cardPermissions?: readonly { key: string; description: string }[];
  /** The settings; every property has a default. */
  settings?: T;
  /** Its own error codes; they begin with `<id>_`. */
  errors?: ErrorTable;
  /** The error code of a violated constraint of its tables, by constraint name. */
  constraints?: Readonly<Record<string, string>>;
  /** By name without extension, run in name order. */
  migrations?: Readonly<Record<string, ModuleMigration>>;
  /**
   * Kinds of the subjects of its events, and the permission to see them; with `types`, the schema of each event's `data`, which
   * `emit` checks. `cards`: the members of `data` with the ids of the cards that an event is about, or `none` if neither the
   * subject nor a text names a card. An event about a card that is hidden from a receiver does not exist for the receiver;
   * without `cards`, receivers from whom any type of card is hidden get no event of the kind. Ids of hidden cards elsewhere
   * in `data` are removed. `fieldPermissions`: members of `data`, and values of `field` in its `changes`, that only receivers with
   * the permission get; an entry of `changes` may also have the required permission in its member `permission`. `only`: a member
   * of `data`; where it has the id of a user, only this user gets the event, with the permission; where it is null, all with the permission.
   */
  events?: readonly {
    kind: string;
    permission: string;
    cards?: 'none' | readonly string[];
    fieldPermissions?: Readonly<Record<string, string>>;
    only?: string;
    types?: Readonly<Record<string, TSchema>>;
  }[];
  /** Its notifications; kinds are `<id>.<word>`; `email`: whether they are mailed by default. */
  notifications?: readonly { kind: string; title: string; description: string; email?: boolean }[];
  services(host: ModuleServices<SettingsOf<T>>): S;
  /** Routes under `/api/v1/<id>`; of an external package under `/api/v1/ext/<id>`. */
  routes?: ModuleRoutes<S, SettingsOf<T>>;
  /** Instead of `routes`: a folder whose files are such plugins. */
  routesDir?: URL;
  /** Routes under `/api/v1/cards/{id}/<segment>`; of an external package under `/api/v1/cards/{id}/ext/<id>`. */
  cardRoutes?: { segment: string; routes: ModuleRoutes<S, SettingsOf<T>> };
  cardSections?: readonly CardSection<S>[];
  exportColumns?: readonly ExportColumn[];
  importFormats?: readonly ImportFormat<S>[];
  /** Reports it adds to `GET /reports`. */
  reports?: readonly ReportDeclaration<NoInfer<S>>[];
  /**
   * Called in the transaction that deletes cards for good, before they are deleted, so that the events of the module's own rows
   * are part of it; `removeOfCards` of a resource does this. Not called while the module is disabled: rows with
   * `on delete cascade` are then deleted without events. An error refuses the deletion.
   * @param cards ids
   */
  cardsDeleted?(services: S, uow: UnitOfWork, cards: readonly string[]): Promise<void>;
  /** Connectors to other systems that it adds to the synchronisation with a CMDB. */
  connectors?: readonly ConnectorDeclaration<NoInfer<S>>[];
  /** Rules that check or complete cards and relations before they are written. */
  cardRules?: readonly CardRule<S>[];
  activate?(ctx: ModuleActivation<S, SettingsOf<T>>): void | Promise<void>;
  openapi?: { tags: readonly { name: string; description: string }[] };
  /** Whether it is enabled when it is first found. */
  enabledByDefault: boolean;
}

/** One object per copy of this file, by which the host detects a module declared with another copy. */
export const SDK_INSTANCE: Readonly<{ version: string; url: string }> = Object.freeze({
  version: SDK_VERSION,
  url: import.meta.url,
});
const MARK = Symbol.for('lintel.sdk');

/** Declares a module: the default export of its `index.js`. */
export function defineModule<S, T extends TObject = TObject>(manifest: ModuleManifest<S, T>): ModuleManifest<S, T> {
  return Object.freeze(Object.defineProperty({ ...manifest }, MARK, { value: SDK_INSTANCE }));
}

/** @returns the copy of the SDK with which a value was declared; undefined if it is not a module */
export function sdkOf(value: unknown): typeof SDK_INSTANCE | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<symbol, typeof SDK_INSTANCE>)[MARK] : undefined;
}
