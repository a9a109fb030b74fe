export { GraphMemory } from './memory.js';
export { ImpactService } from './service.js';
