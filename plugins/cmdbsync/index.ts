import { defineModule } from '@lintel/sdk';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import * as sync from './migrations/0001_sync.js';
import { NOTIFICATIONS } from './notices.js';
import { PERMISSIONS } from './permissions.js';
import { cmdbSyncServices } from './services.js';
import { Settings } from './settings.js';

export default defineModule({
  id: 'cmdbsync',
  version: '0.1.0',
  title: 'CMDB synchronisation',
  description: 'Synchronises cards with a configuration management database, in both directions.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  settings: Settings,
  errors: ERRORS,
  constraints: {
    cmdbsync_connection_names: 'cmdbsync_name_taken',
    cmdbsync_mapping_names: 'cmdbsync_name_taken',
    cmdbsync_run_active: 'cmdbsync_run_active',
  },
  migrations: { '0001_sync': sync },
  events: EVENTS,
  notifications: NOTIFICATIONS,
  services: cmdbSyncServices,
  connectors: [],
  async routes() {},
  openapi: { tags: [{ name: 'cmdbsync', description: 'Synchronisation with configuration management databases.' }] },
  enabledByDefault: true,
});
