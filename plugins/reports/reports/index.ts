import type { ReportDeclaration } from '@lintel/sdk';
import type { ReportsServices } from '../services.js';
import { cost } from './cost.js';
import { dashboard } from './dashboard.js';
import { dataQuality } from './data-quality.js';
import { dependencies } from './dependencies.js';
import { endOfLife } from './end-of-life.js';
import { landscape } from './landscape.js';
import { lifecycle } from './lifecycle.js';
import { matrix } from './matrix.js';
import { portfolio } from './portfolio.js';
import { stakeholders } from './stakeholders.js';

/** The reports of the module, in the order of the documentation. */
export const REPORTS: readonly ReportDeclaration<ReportsServices>[] = [
  dashboard,
  portfolio,
  cost,
  dataQuality,
  stakeholders,
  matrix,
  landscape,
  dependencies,
  lifecycle,
  endOfLife,
];
