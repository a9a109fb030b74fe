export { recordCardChange, recordCardChanges } from './repository.js';
export { HistoryService } from './service.js';
