import type { ModuleManifest } from '@lintel/sdk';
import { budgets } from './costs/budgets.js';
import { costs } from './costs/costs.js';
import { risks } from './risks/resource.js';
import { VIEW } from './permissions.js';

export const EVENTS: NonNullable<ModuleManifest['events']> = [
  { kind: 'ppm', permission: VIEW, cards: ['card_id'] },
  budgets.events,
  costs.events,
  risks.events,
];
