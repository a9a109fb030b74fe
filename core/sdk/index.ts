export { Type, type Static, type TSchema, type TObject } from 'typebox';
export * from './problem.js';
export * from './context.js';
export * from './access.js';
export * from './schemas.js';
export * from './lists-of-values.js';
export * from './page-parameters.js';
export * from './bounds.js';
export * from './bulk.js';
export type * from './bulk-operations.js';
export * from './bulk-runner.js';
export * from './json-batches.js';
export * from './time-slice.js';
export * from './formula-cells.js';
export * from './stored-filters.js';
export type * from './http.js';
export {
  SDK_VERSION,
  capability,
  defineModule,
  provide,
  type Capability,
  type ModuleManifest,
  type ModuleMigration,
  type ModuleRoutes,
  type Provision,
  type RouteOptions,
} from './module.js';
export * from './jobs.js';
export type * from './services.js';
export type * from './ports.js';
export type * from './extensions.js';
export * from './connectors.js';
export type * from './inventory.js';
export type * from './publication.js';
export type * from './pictures.js';
export * from './reports.js';
export * from './languages.js';
export type * from './language-models.js';
export type * from './card-rules.js';
export * from './document-lifecycle/index.js';
export * from './resource/index.js';
