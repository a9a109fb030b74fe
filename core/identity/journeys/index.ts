export { EmailChangeService } from './email-change-service.js';
export { InvitationService } from './invitation-service.js';
export { AccountMailSender } from './mail-sender.js';
export { MailSetup } from './mail-setup.js';
export { PasswordResetService } from './reset-service.js';
export { cleanJourneys } from './retention.js';
