import type { AnswerCache } from './answer-cache.js';
import type { ReportsHost } from './host.js';
import type { PictureServer } from './picture-server.js';
import type { SavedReports } from './saved/resource.js';
import type { Answer as Dashboard } from './reports/dashboard.js';
import type { Snapshots } from './snapshots/service.js';

/** What reports and routes of the module use. */
export interface ReportsServices {
  host: ReportsHost;
  /** Recent dashboards of large inventories. */
  answers: AnswerCache<Dashboard>;
  pictures: PictureServer;
  snapshots: Snapshots;
  saved: SavedReports;
}
