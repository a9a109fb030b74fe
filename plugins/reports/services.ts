import type { ReportsHost } from './host.js';
import type { PictureServer } from './picture-server.js';
import type { SavedReports } from './saved/resource.js';
import type { Snapshots } from './snapshots/service.js';

/** What reports and routes of the module use. */
export interface ReportsServices {
  host: ReportsHost;
  pictures: PictureServer;
  snapshots: Snapshots;
  saved: SavedReports;
}
