export { CardReads } from './reads.js';
export { CardService, type BulkResult } from './service.js';
export { StakeholderService } from './stakeholders.js';
export { lockCards } from './repository.js';
export type { CardInput, CardOperation, CardState } from './types.js';
export type { RowResult } from './batch-rows.js';
