export { AccessGate, type CostAccess } from './gate.js';
export { OnceCosts, type IsCost } from './once-costs.js';
export { CARD_COSTS, hiddenTypes, holdsAnywhere, seesCards, seesCosts, seesStakeholders } from './permissions.js';
export { asksAbove, seesCostsOf, sightOf, typeRole, type Sight } from './sight.js';
export { heirSql, isHeirBy, ownSql, ownWays, rolesAboveSql } from './sight-repository.js';
export type { PlacedCard } from './repository.js';
