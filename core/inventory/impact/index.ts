export { GraphMemory } from './memory.js';
export type { ImpactReach } from './reach.js';
export { ImpactService } from './service.js';
