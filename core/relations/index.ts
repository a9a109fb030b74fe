export { RelationService } from './service.js';
export type { RelationInput, RelationOperation } from './types.js';
// What a caller inside the process is held to, as a request is.
export { BulkBody, RelationQuery } from './schemas.js';
