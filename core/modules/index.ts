export { ModuleHost } from './host.js';
export { CardSections } from './sections/section-service.js';
export type { InstalledModule, ModuleState } from './installed.js';
