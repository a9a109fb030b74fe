export { ModuleHost } from './host.js';
export { CardSections } from './sections/section-service.js';
export type { InstalledModule } from './installed.js';
