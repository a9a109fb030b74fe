import type { Host } from './basics.js';

export interface CmdbSyncServices {
  host: Host;
}

export function cmdbSyncServices(host: Host): CmdbSyncServices {
  return { host };
}
