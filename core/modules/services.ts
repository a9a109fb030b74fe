import type { Database } from '../foundation/db/database.js';
import type { Transactions } from '../foundation/db/unit-of-work.js';
import type { FileStore } from '../foundation/files/index.js';
import type { Metrics } from '../foundation/http/metrics.js';
import type { CronTable, JobRunner } from '../foundation/jobs/index.js';
import type { Outbound } from '../foundation/outbound/index.js';
import type { Secrets } from '../foundation/secrets/index.js';
import type { PermissionCatalogue, RbacService } from '../identity/rbac/index.js';
import type { UserService } from '../identity/users/index.js';
import type { AccessGate } from '../inventory/access/index.js';
import type { CardPermissions, CardReads, CardService } from '../inventory/cards/index.js';
import type { CardTypeService } from '../inventory/metamodel/index.js';
import type { ImpactService } from '../inventory/impact/index.js';
import type { RelationService } from '../inventory/relations/index.js';
import type { EventLog, EventVisibility, Subscriptions } from '../messaging/events/index.js';
import type { NotificationKinds, NotificationWriter } from '../messaging/notifications/index.js';
import type { ModuleHost } from './host.js';
import type { Extensions } from '../inventory/extensions.js';
import type { CardSections } from './sections/section-service.js';

/** The parts of the core that the host uses and exposes to modules through ports. */
export interface HostServices {
  access: AccessGate;
  cardPermissions: CardPermissions;
  cardReads: CardReads;
  cardSections: CardSections;
  cardTypes: CardTypeService;
  cards: CardService;
  cron: CronTable;
  db: Database;
  events: EventLog;
  extensions: Extensions;
  files: FileStore;
  impact: ImpactService;
  jobs: JobRunner;
  metrics: Metrics;
  modules: ModuleHost;
  notificationKinds: NotificationKinds;
  notificationWriter: NotificationWriter;
  outbound: Outbound;
  permissions: PermissionCatalogue;
  rbac: RbacService;
  relations: RelationService;
  secrets: Secrets;
  subscriptions: Subscriptions;
  transactions: Transactions;
  users: UserService;
  visibility: EventVisibility;
}
