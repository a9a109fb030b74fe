export { RelationService } from './service.js';
export type { RelationInput, RelationOperation } from './types.js';
