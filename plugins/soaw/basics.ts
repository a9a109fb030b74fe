import type { ModuleServices } from '@lintel/sdk';
import type { Settings } from './settings.js';

/** The services of the platform for this module. */
export type Host = ModuleServices<Settings>;

/** `SOAW-0007`: the number that all revisions of a document share. */
export const numberOf = (serial: number): string => `SOAW-${String(serial).padStart(4, '0')}`;

/** An id for examples. */
export const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
