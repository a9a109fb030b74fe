export { MetamodelService } from './service.js';
export { Metamodel, CardType, RelationType } from './metamodel.js';
export { dataQuality, type Surroundings } from './quality.js';
export { FieldSet } from './fields.js';
export type * from './types.js';
