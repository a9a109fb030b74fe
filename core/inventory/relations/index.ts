export { RelationService, type RelationRights } from './service.js';
export type { EndCard } from './end-scope.js';
export type { RelationInput, RelationOperation } from './types.js';
// What a caller inside the process is held to, as a request is.
export { BulkBody, RelationQuery } from './schemas.js';
