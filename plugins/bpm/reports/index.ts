import { dashboard } from './dashboard.js';
import { dependencies } from './dependencies.js';
import { elementApplicationMap } from './element-application-map.js';
import { heatmap } from './heatmap.js';
import { capabilityProcessMatrix, processApplicationMatrix } from './matrices.js';
import { processMap } from './process-map.js';

/** The reports of the module: under `/bpm/reports`, and in the catalogue of reports. */
export const REPORTS = [
  dashboard,
  processMap,
  capabilityProcessMatrix,
  processApplicationMatrix,
  dependencies,
  elementApplicationMap,
  heatmap,
];
