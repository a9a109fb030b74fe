export { Extensions, type OwnedColumn, type OwnedFormat } from './extensions.js';
export { ModuleHost } from './host.js';
export { CardSections } from './section-service.js';
export type { InstalledModule, ModuleState } from './installed.js';
