export { RelationService, type RelationRights } from './service.js';
export { givenOf, type PlannedRelation } from './relation-rules.js';
export type { EndCard } from './end-scope.js';
export type { RelationOperation, RelationRow } from './types.js';
// For validating the input of modules by the schemas of requests.
export { BulkBody, RelationQuery } from './schemas.js';
// For statements over many relations.
export { openRelationCosts, relationValueSeen, type RelationVisibility } from './list-repository.js';
