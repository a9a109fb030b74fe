import { readFileSync } from 'node:fs';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static, TObject, TSchema } from 'typebox';
import type { PermissionDeclaration } from './access.js';
import type { CardSection, ExportColumn, ImportFormat } from './extensions.js';
import type { Knex } from './knex.js';
import type { ErrorTable } from './problem.js';
import type { ModuleActivation, ModuleServices } from './services.js';

/** Version of this SDK; a manifest's `host` is a range of it. */
export const SDK_VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** Names what one module offers and others may use, with its version: `risks.create@1`. */
export interface Capability<T> {
  readonly id: string;
  /** Carries the type; never set. */
  readonly type?: T;
}

/** Names a capability. @param id such as `risks.create@1`: the owner's id, a word, and a version that changes with the contract */
export const capability = <T>(id: string): Capability<T> => ({ id });

/** An offered capability, as `provide` makes it. */
export interface Provision<S> {
  readonly capability: Capability<unknown>;
  readonly make: (services: S) => unknown;
}

/** An entry of `provides`. */
export const provide = <S, T>(offered: Capability<T>, make: (services: S) => T): Provision<S> => ({
  capability: offered,
  make,
});

/** A migration, with knex on a transaction of its own; `down` takes back what `up` did, for tests and removal. */
export interface ModuleMigration {
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

/** What routes of a module are registered with. */
export interface RouteOptions<S, Settings = Record<string, unknown>> {
  services: S;
  host: ModuleServices<Settings>;
}

/** A Fastify plugin of routes. Paths are relative; every route states `config.access`, `operationId`, `summary`, `tags`. */
export type ModuleRoutes<S, Settings = Record<string, unknown>> = FastifyPluginAsyncTypebox<RouteOptions<S, Settings>>;

/** All a module is. Declaring does nothing: what it does begins in `activate` and ends when it is switched off. */
export interface ModuleManifest<S = unknown, T extends TObject = TObject> {
  /** Also the name of its folder, the first word of its paths, permissions, job types and tables (`<id>_…`). */
  id: string;
  version: string;
  title: string;
  description: string;
  /** Semver range of the SDK it works with. */
  host: string;
  /** Ids of modules it cannot work without. */
  requires?: readonly string[];
  provides?: readonly Provision<S>[];
  /** Capabilities it makes use of while their owners are on. */
  uses?: readonly Capability<unknown>[];
  /** Keys begin with `<id>.`. */
  permissions: readonly PermissionDeclaration[];
  /** What a stakeholder role may grant on its card; keys begin with `card.<id>_`. */
  cardPermissions?: readonly { key: string; description: string }[];
  /** What an administrator may set; every property has a default. */
  settings?: T;
  /** Its own error codes; they begin with `<id>_`. */
  errors?: ErrorTable;
  /** The code a violated constraint of its tables answers with, by constraint name. */
  constraints?: Readonly<Record<string, string>>;
  /** By name without extension, run in name order. */
  migrations?: Readonly<Record<string, ModuleMigration>>;
  /**
   * Kinds of subject its events have, and who may see them; with `types`, the schema of each event's `data`, which
   * `emit` holds it to.
   */
  events?: readonly { kind: string; permission: string; types?: Readonly<Record<string, TSchema>> }[];
  /** What it tells people; kinds are `<id>.<word>`, and mailed to who has not said otherwise where `email` is true. */
  notifications?: readonly { kind: string; title: string; description: string; email?: boolean }[];
  services(host: ModuleServices<Static<T>>): S;
  /** Routes under `/api/v1/<id>`; of a partner's package under `/api/v1/ext/<id>`. */
  routes?: ModuleRoutes<S, Static<T>>;
  /** In place of `routes`: a folder whose files are such plugins. */
  routesDir?: URL;
  /** Routes under `/api/v1/cards/{id}/<segment>`; of a partner's package under `/api/v1/cards/{id}/ext/<id>`. */
  cardRoutes?: { segment: string; routes: ModuleRoutes<S, Static<T>> };
  cardSections?: readonly CardSection<S>[];
  exportColumns?: readonly ExportColumn[];
  importFormats?: readonly ImportFormat<S>[];
  activate?(ctx: ModuleActivation<S, Static<T>>): void | Promise<void>;
  openapi?: { tags: readonly { name: string; description: string }[] };
  /** Whether it is on when it is first found. */
  enabledByDefault: boolean;
}

/** One object per copy of this file: how the host tells a module that was made with another copy. */
export const SDK_INSTANCE: Readonly<{ version: string; url: string }> = Object.freeze({
  version: SDK_VERSION,
  url: import.meta.url,
});
const MARK = Symbol.for('lintel.sdk');

/** Declares a module: what its `index.js` exports as default. */
export function defineModule<S, T extends TObject = TObject>(manifest: ModuleManifest<S, T>): ModuleManifest<S, T> {
  return Object.freeze(Object.defineProperty({ ...manifest }, MARK, { value: SDK_INSTANCE }));
}

/** @returns the copy of the SDK a value was declared with; undefined where it is no module */
export function sdkOf(value: unknown): typeof SDK_INSTANCE | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<symbol, typeof SDK_INSTANCE>)[MARK] : undefined;
}
