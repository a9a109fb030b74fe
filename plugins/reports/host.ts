import type { ModuleServices } from '@lintel/sdk';
import type { Settings } from './settings.js';

export type ReportsHost = ModuleServices<Settings>;
