export { ModuleHost } from './host.js';
export type { InstalledModule, ModuleState } from './installed.js';
