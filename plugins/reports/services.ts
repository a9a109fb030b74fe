import type { ReportsHost } from './host.js';

/** What reports and routes of the module use. */
export interface ReportsServices {
  host: ReportsHost;
}
