import type { ReportDeclaration } from '@lintel/sdk';
import type { ReportsServices } from '../services.js';
import { portfolio } from './portfolio.js';

/** The reports of the module, in the order of the documentation. */
export const REPORTS: readonly ReportDeclaration<ReportsServices>[] = [portfolio];
