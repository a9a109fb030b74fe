import { budgetVsActual } from './budget-vs-actual.js';
import { dashboard } from './dashboard.js';
import { gantt } from './gantt.js';
import { resourceLoad } from './resource-load.js';

/** The reports of the module: under `/ppm/reports`, and in the catalogue of reports. */
export const REPORTS = [dashboard, budgetVsActual, gantt, resourceLoad];
