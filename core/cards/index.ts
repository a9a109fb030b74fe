export { leaveCards } from './departures.js';
export { AttributeIndexes, INDEX_JOB } from './attribute-indexes.js';
export { CardPermissions } from './permissions-service.js';
export { CardReads } from './reads.js';
export { CardService, type BulkResult } from './service.js';
export { CardMaintenance } from './maintenance.js';
export { StakeholderService } from './stakeholders.js';
export { findPlaced, lockCards, opaque, type PlaceKey } from './load-repository.js';
export { BulkBody, CardPointer } from './schemas.js';
export { placeKey, referenceFault } from './card-index.js';
export { missing, namedKey } from './reference-repository.js';
export { mandatoryRelations } from './score.js';
export type { CardParticipant, RelationWriter, WantedRelation } from './batch.js';
export type { CardInput, CardOperation, CardPlace, CardReference, CardState, RelationInput } from './types.js';
export type { RowResult } from './batch-rows.js';
// What an import shows before anything is written.
export { applyInput, differences, inputErrors } from './rules.js';
export { Outlook } from './outlook.js';
export { LIFECYCLE_PHASES } from './types.js';
// What an export shares with the list.
export { compileFilters, type CardFilters } from './filters-repository.js';
export { CardQuery, FacetQuery } from './query-schemas.js';
export { CardView } from './schemas.js';
// Attribute filters work the same for relations.
export { attributeIn } from './attribute-fields-repository.js';
export { attributeParameters, conditionsOn } from './attribute-filters-repository.js';
export { ATTRIBUTES } from './query-schemas.js';
