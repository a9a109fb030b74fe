export { CATALOGUES, languageOf, type Catalogue, type Language } from './catalogue.js';
export { cleanMailLimits, mayMail } from './limits-repository.js';
export { renderMail, unlinked, type Letter, type RenderedMail } from './render.js';
export {
  ACCOUNT_MAIL_ATTEMPTS,
  ACCOUNT_MAIL_JOB,
  queueAccountMail,
  type AccountMail,
  type AccountMailPayload,
} from './queue.js';
