export { CardLimits, type CardItem } from './card-limits.js';
export { AiSettings } from './ai-service.js';
export { LogoService } from './logo-service.js';
export type { Mail } from './mail.js';
export type { GeneralSettings } from './schemas.js';
export { SettingsService } from './service.js';
export { SmtpSettings } from './smtp-service.js';
export { ConnectionTestView } from './section-schemas.js';
export { ConnectionTestFailure, tryOut } from './connection-test.js';
