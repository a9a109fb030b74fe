export { Type, type Static, type TSchema, type TObject } from 'typebox';
export * from './problem.js';
export * from './context.js';
export * from './access.js';
export * from './schemas.js';
export type * from './http.js';
export * from './module.js';
export type * from './services.js';
