export { removeStakeholder } from './stakeholders/user-deletion.js';
export { AttributeIndexes, INDEX_JOB } from './attributes/attribute-indexes.js';
export { CardPermissions } from './rights/permissions-service.js';
export { CardReads } from './list/reads.js';
export { CardService, type BulkResult } from './service.js';
export { CardMaintenance } from './maintenance.js';
export { StakeholderService } from './stakeholders/stakeholders.js';
export { findPlaced, lockCards, opaque, type PlaceKey } from './lock-repository.js';
export { BulkBody, CardPointer } from './schemas.js';
export { placeKey, referenceFault } from './write/card-index.js';
export { missing, namedKey } from './write/reference-repository.js';
export { mandatoryRelations } from './write/data-quality.js';
export type { CardParticipant, RelationWriter, WantedRelation } from './write/batch.js';
export type {
  CardInput,
  CardOperation,
  CardPlace,
  CardReference,
  CardState,
  RelationInput,
  WrittenRelation,
} from './types.js';
export type { RowResult } from './write/batch-rows.js';
// For the preview of an import.
export { applyInput, differences, inputErrors } from './write/rules.js';
export { PreviewTree } from './write/preview-tree.js';
export { LIFECYCLE_PHASES } from './types.js';
// Shared by exports and lists.
export { compileFilters, type CardFilters } from './list/filters-repository.js';
export { CardQuery, FacetQuery } from './query-schemas.js';
export { CardView } from './schemas.js';
// Attribute filters are also used for relations.
export { attributeIn } from './attributes/attribute-fields-repository.js';
export { attributeParameters, conditionsOn } from './list/attribute-filters-repository.js';
export { ATTRIBUTES } from './query-schemas.js';
