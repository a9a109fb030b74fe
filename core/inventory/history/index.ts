export { recordCardChange, recordCardChanges, type CardChange } from './repository.js';
export { HistoryService } from './service.js';
