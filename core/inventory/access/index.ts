export { AccessGate, type CostAccess, type Extent } from './gate.js';
export { OnceCosts, type IsCost } from './once-costs.js';
export {
  CARD_COSTS,
  CARDS,
  cardsHidden,
  COSTS,
  COST_REFUSED,
  costsHidden,
  hiddenBelow,
  hiddenTypes,
  holdsAnywhere,
  holdsEverywhere,
  lacks,
  relationlessTypes,
  RELATIONS,
  relationsHidden,
  seesCards,
  seesCosts,
  seesStakeholders,
  stakeholdersHidden,
} from './permissions.js';
export {
  needsRolesAbove,
  hiddenUnder,
  hidesCards,
  seesCostsOf,
  seesRelation,
  visibilityOf,
  type CardVisibility,
} from './card-visibility.js';
export {
  ALL_SEEN,
  inheritedCostsSql,
  inheritsCostsBy,
  othersSql,
  otherConditions,
  ownCostConditions,
  ownCostsSql,
  ownCostsSqlForMany,
  rolesAboveSql,
  subtreeSql,
  visibleCards,
  visibleSql,
  type OthersSql,
} from './card-visibility-repository.js';
export { relationSeen, relationSeenSql } from './relation-visibility-repository.js';
export type { PlacedCard } from './repository.js';
