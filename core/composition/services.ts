import type { Config } from '../../config/schema.js';
import type { ChangeNotifier } from '../foundation/db/change-notifier.js';
import type { Continuity } from '../foundation/db/continuity.js';
import type { Database } from '../foundation/db/database.js';
import type { Reads } from '../foundation/db/replica.js';
import type { Revisions } from '../foundation/db/revisions.js';
import type { Statistics } from '../foundation/db/statistics.js';
import type { Storage } from '../foundation/db/storage.js';
import type { Transactions } from '../foundation/db/unit-of-work.js';
import type { DatabaseWatch } from '../foundation/db/watch.js';
import type { FileStore } from '../foundation/files/index.js';
import type { Draining } from '../foundation/http/draining.js';
import type { OpenRequests } from '../foundation/http/open-requests.js';
import type { LargeBodies } from '../foundation/http/large-bodies.js';
import type { Metrics } from '../foundation/http/metrics.js';
import type { CronTable, JobRunner, JobService, ScheduleService } from '../foundation/jobs/index.js';
import type { Outbound } from '../foundation/outbound/index.js';
import type { Secrets } from '../foundation/secrets/index.js';
import type {
  AuthService,
  RateLimiter,
  SessionCache,
  SetupCode,
  TokenKeys,
  WriteLimits,
} from '../identity/auth/index.js';
import type {
  AccountMailSender,
  EmailChangeService,
  InvitationService,
  PasswordResetService,
} from '../identity/journeys/index.js';
import type { PermissionCatalogue, RbacService, RoleService } from '../identity/rbac/index.js';
import type { IdentityService, SsoService } from '../identity/sso/index.js';
import type { ApiTokenService } from '../identity/tokens/index.js';
import type { UserService } from '../identity/users/index.js';
import type { AccessGate, OnceCosts } from '../inventory/access/index.js';
import type {
  AttributeIndexes,
  CardMaintenance,
  CardPermissions,
  RightsExplainer,
  CardReads,
  CardService,
  StakeholderService,
} from '../inventory/cards/index.js';
import type { ExportService } from '../inventory/exports/index.js';
import type { Extensions } from '../inventory/extensions.js';
import type { HistoryService } from '../inventory/history/index.js';
import type { ImpactService } from '../inventory/impact/index.js';
import type { InventorySource, PublishedSource } from '../inventory/source/index.js';
import type { Applying, ImportFormats, ImportRetention, ImportService, Staging } from '../inventory/imports/index.js';
import type { CommentService } from '../inventory/items/comments/index.js';
import type { DocumentService } from '../inventory/items/documents/index.js';
import type { CardTagService } from '../inventory/items/tags/index.js';
import type { TodoService } from '../inventory/items/todos/index.js';
import type {
  CardTypeService,
  MetamodelService,
  RelationTypeService,
  StakeholderRoleService,
  TagGroupService,
} from '../inventory/metamodel/index.js';
import type { RelationService } from '../inventory/relations/index.js';
import type {
  EventFeed,
  EventGaps,
  EventLog,
  EventRetention,
  EventVisibility,
  Sequencer,
  StreamHub,
  StreamTickets,
  Subscriptions,
} from '../messaging/events/index.js';
import type {
  Mailer,
  NotificationFeed,
  NotificationKinds,
  NotificationPreferences,
  NotificationService,
  NotificationWriter,
} from '../messaging/notifications/index.js';
import type { WebhookDeliveries, WebhookDispatch, WebhookService } from '../messaging/webhooks/index.js';
import type { CardSections, ModuleHost } from '../modules/index.js';
import type {
  AiSettings,
  LanguageModel,
  LogoService,
  SettingsService,
  SmtpSettings,
  SsoSettings,
} from '../settings/index.js';

/** What routes and modules are given; nothing else is resolved after this. */
export interface Services {
  config: Config;
  db: Database;
  databaseWatch: DatabaseWatch;
  continuity: Continuity;
  storage: Storage;
  statistics: Statistics;
  reads: Reads;
  draining: Draining;
  openRequests: OpenRequests;
  largeBodies: LargeBodies;
  /** Slots of bulk requests with many operations. */
  largeBulks: LargeBodies;
  notifier: ChangeNotifier;
  revisions: Revisions;
  transactions: Transactions;
  secrets: Secrets;
  settings: SettingsService;
  logo: LogoService;
  smtp: SmtpSettings;
  ssoSettings: SsoSettings;
  ai: AiSettings;
  languageModel: LanguageModel;
  permissions: PermissionCatalogue;
  rbac: RbacService;
  access: AccessGate;
  onceCosts: OnceCosts;
  roles: RoleService;
  tokenKeys: TokenKeys;
  limiter: RateLimiter;
  writeLimits: WriteLimits;
  sessions: SessionCache;
  setupCode: SetupCode;
  auth: AuthService;
  apiTokens: ApiTokenService;
  sso: SsoService;
  identities: IdentityService;
  users: UserService;
  invitations: InvitationService;
  passwordResets: PasswordResetService;
  emailChanges: EmailChangeService;
  accountMails: AccountMailSender;
  metamodel: MetamodelService;
  cardTypes: CardTypeService;
  relationTypes: RelationTypeService;
  stakeholderRoles: StakeholderRoleService;
  tagGroups: TagGroupService;
  cards: CardService;
  cardReads: CardReads;
  cardMaintenance: CardMaintenance;
  attributeIndexes: AttributeIndexes;
  exports: ExportService;
  impact: ImpactService;
  inventory: InventorySource;
  published: PublishedSource;
  cardPermissions: CardPermissions;
  rights: RightsExplainer;
  stakeholders: StakeholderService;
  history: HistoryService;
  comments: CommentService;
  documents: DocumentService;
  todos: TodoService;
  cardTags: CardTagService;
  relations: RelationService;
  eventGaps: EventGaps;
  events: EventLog;
  sequencer: Sequencer;
  visibility: EventVisibility;
  streams: StreamHub;
  streamTickets: StreamTickets;
  eventRetention: EventRetention;
  subscriptions: Subscriptions;
  feed: EventFeed;
  notifications: NotificationService;
  notificationPreferences: NotificationPreferences;
  notificationKinds: NotificationKinds;
  notificationWriter: NotificationWriter;
  notificationFeed: NotificationFeed;
  mailer: Mailer;
  files: FileStore;
  imports: ImportService;
  importFormats: ImportFormats;
  staging: Staging;
  applying: Applying;
  importRetention: ImportRetention;
  jobs: JobRunner;
  jobService: JobService;
  cron: CronTable;
  schedules: ScheduleService;
  modules: ModuleHost;
  extensions: Extensions;
  cardSections: CardSections;
  metrics: Metrics;
  outbound: Outbound;
  webhooks: WebhookService;
  webhookDeliveries: WebhookDeliveries;
  webhookDispatch: WebhookDispatch;
}
