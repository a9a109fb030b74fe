export { SettingsService } from './service.js';
export type { GeneralSettings } from './schemas.js';
