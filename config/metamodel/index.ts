import type { CardTypeDefinition, RelationTypeDefinition } from '../../core/inventory/metamodel/types.js';
import { applicationTypes } from './application.js';
import { businessTypes } from './business.js';
import { relationTypes } from './relations.js';
import { strategyTypes } from './strategy.js';
import { technicalTypes } from './technical.js';

export { camelCase, commonRoles } from './fields.js';

/** The card types of a new workspace: four layers, from strategy to technology. */
export const defaultCardTypes: CardTypeDefinition[] = [
  ...strategyTypes,
  ...businessTypes,
  ...applicationTypes,
  ...technicalTypes,
  // Steps of ten leave room for types added in between.
].map((type, i) => ({ ...type, sort_order: (i + 1) * 10 }));

/** The relation types of a new workspace. */
export const defaultRelationTypes: RelationTypeDefinition[] = relationTypes;
