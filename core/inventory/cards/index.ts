export { removeStakeholder } from './stakeholders/user-deletion.js';
export { AttributeIndexes } from './attributes/attribute-indexes.js';
export { INDEX_JOB } from '../metamodel/index.js';
export { CardPermissions } from './rights/permissions-service.js';
export { RightsExplainer } from './rights/rights-explainer.js';
export { CardReads } from './list/reads.js';
export { CardService } from './service.js';
export { CardMaintenance } from './maintenance.js';
export { StakeholderService } from './stakeholders/stakeholders.js';
export { findPlaced, missingObjects, objectKey, opaque } from './lock-repository.js';
export { BulkBody, CardPointer } from './schemas.js';
export { pathOf, placeKey, referenceFault } from './write/card-index.js';
export { mandatoryRelations } from './write/data-quality.js';
export type { RelationWriter, WantedRelation } from './write/batch-options.js';
export type {
  CardInput,
  CardOperation,
  CardReference,
  CardState,
  WrittenRelation,
} from './types.js';
export type { PreviewResult, RowResult } from './write/batch-rows.js';
// Rules of the write path, for relations and for the preview of imports.
export { applyInput, differences, inputErrors, merge } from './write/rules.js';
export { openReferences, PARENT_REFUSED, REFERENCE_REFUSED, referencesIn, seenAttributes } from './write/references.js';
export { ruleCards } from './write/card-rules.js';
export { PreviewTree } from './write/preview-tree.js';
export { BLANK, LIFECYCLE_PHASES } from './types.js';
export { MAX_LEVEL } from './write/tree.js';
// Shared by exports and lists.
export { phaseSql } from './list/derived-repository.js';
export { STAKEHOLDERS_JSON, TAGS_JSON } from './list/view-repository.js';
export { compileFilters, type CardFilters } from './list/filters-repository.js';
export { CardQuery, FacetQuery } from './query-schemas.js';
export { CardView } from './schemas.js';
// Filters are also used for relations.
export { FilterConditions } from './list/filter-conditions.js';
export { attributeIn, attributeOf, openCondition } from './attributes/attribute-fields-repository.js';
export { conditionsOn } from './list/attribute-filters-repository.js';
export { ATTRIBUTES } from './query-schemas.js';
export { commaSeparated } from './comma-separated.js';
export { Expand, expansionsOf } from './expand.js';
// For statements over many cards.
export { comparable, jsonOf, stringOf } from './attributes/attribute-values-repository.js';
export { CONTENT_COLUMNS, rowsWith } from './page-source-repository.js';
export { qualitySql } from './list/derived-repository.js';
