import { ChangeNotifier } from '../foundation/db/change-notifier.js';
import { Continuity } from '../foundation/db/continuity.js';
import { Reads } from '../foundation/db/replica.js';
import { Revisions } from '../foundation/db/revisions.js';
import { Statistics } from '../foundation/db/statistics.js';
import { Storage } from '../foundation/db/storage.js';
import { Transactions } from '../foundation/db/unit-of-work.js';
import { DatabaseWatch } from '../foundation/db/watch.js';
import { FileStore } from '../foundation/files/index.js';
import { Draining } from '../foundation/http/draining.js';
import { OpenRequests } from '../foundation/http/open-requests.js';
import { LargeBodies } from '../foundation/http/large-bodies.js';
import { Metrics } from '../foundation/http/metrics.js';
import { CronTable, JobRunner, JobService, ScheduleService } from '../foundation/jobs/index.js';
import { Outbound } from '../foundation/outbound/index.js';
import { Secrets } from '../foundation/secrets/index.js';
import { AuthService, RateLimiter, SessionCache, SetupCode, TokenKeys, WriteLimits } from '../identity/auth/index.js';
import {
  AccountMailSender,
  EmailChangeService,
  InvitationService,
  PasswordResetService,
} from '../identity/journeys/index.js';
import { PermissionCatalogue, RbacService, RoleService } from '../identity/rbac/index.js';
import { IdentityService, SsoService } from '../identity/sso/index.js';
import { ApiTokenService } from '../identity/tokens/index.js';
import { UserService } from '../identity/users/index.js';
import { AccessGate, OnceCosts } from '../inventory/access/index.js';
import {
  AttributeIndexes,
  CardMaintenance,
  CardPermissions,
  RightsExplainer,
  CardReads,
  CardService,
  StakeholderService,
} from '../inventory/cards/index.js';
import { ExportService } from '../inventory/exports/index.js';
import { Extensions } from '../inventory/extensions.js';
import { HistoryService } from '../inventory/history/index.js';
import { ImpactService } from '../inventory/impact/index.js';
import { InventorySource, PublishedSource } from '../inventory/source/index.js';
import { Applying, ImportFormats, ImportRetention, ImportService, Staging } from '../inventory/imports/index.js';
import { CommentService } from '../inventory/items/comments/index.js';
import { DocumentService } from '../inventory/items/documents/index.js';
import { CardTagService } from '../inventory/items/tags/index.js';
import { TodoService } from '../inventory/items/todos/index.js';
import {
  CardTypeService,
  MetamodelService,
  RelationTypeService,
  StakeholderRoleService,
  TagGroupService,
} from '../inventory/metamodel/index.js';
import { RelationService } from '../inventory/relations/index.js';
import {
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
import {
  Mailer,
  NotificationFeed,
  NotificationKinds,
  NotificationPreferences,
  NotificationService,
  NotificationWriter,
} from '../messaging/notifications/index.js';
import { WebhookDeliveries, WebhookDispatch, WebhookService } from '../messaging/webhooks/index.js';
import { CardSections, ModuleHost } from '../modules/index.js';
import {
  AiSettings,
  LanguageModel,
  LogoService,
  SettingsService,
  SmtpSettings,
  SsoSettings,
} from '../settings/index.js';
import { CONFIG, DATABASE, LARGE_BULKS } from './tokens.js';
import type { InjectionToken } from 'tsyringe';
import type { Services } from './services.js';

/** By what each service is registered. */
export const CLASSES: { [K in keyof Services]: InjectionToken<Services[K]> } = {
  config: CONFIG,
  db: DATABASE,
  databaseWatch: DatabaseWatch,
  continuity: Continuity,
  storage: Storage,
  statistics: Statistics,
  reads: Reads,
  draining: Draining,
  openRequests: OpenRequests,
  largeBodies: LargeBodies,
  largeBulks: LARGE_BULKS,
  notifier: ChangeNotifier,
  revisions: Revisions,
  transactions: Transactions,
  secrets: Secrets,
  settings: SettingsService,
  logo: LogoService,
  smtp: SmtpSettings,
  ssoSettings: SsoSettings,
  ai: AiSettings,
  languageModel: LanguageModel,
  permissions: PermissionCatalogue,
  rbac: RbacService,
  access: AccessGate,
  onceCosts: OnceCosts,
  roles: RoleService,
  tokenKeys: TokenKeys,
  limiter: RateLimiter,
  writeLimits: WriteLimits,
  sessions: SessionCache,
  setupCode: SetupCode,
  auth: AuthService,
  apiTokens: ApiTokenService,
  sso: SsoService,
  identities: IdentityService,
  users: UserService,
  invitations: InvitationService,
  passwordResets: PasswordResetService,
  emailChanges: EmailChangeService,
  accountMails: AccountMailSender,
  metamodel: MetamodelService,
  cardTypes: CardTypeService,
  relationTypes: RelationTypeService,
  stakeholderRoles: StakeholderRoleService,
  tagGroups: TagGroupService,
  cards: CardService,
  cardReads: CardReads,
  cardMaintenance: CardMaintenance,
  attributeIndexes: AttributeIndexes,
  exports: ExportService,
  impact: ImpactService,
  inventory: InventorySource,
  published: PublishedSource,
  stakeholders: StakeholderService,
  relations: RelationService,
  eventGaps: EventGaps,
  events: EventLog,
  sequencer: Sequencer,
  visibility: EventVisibility,
  streams: StreamHub,
  streamTickets: StreamTickets,
  eventRetention: EventRetention,
  subscriptions: Subscriptions,
  feed: EventFeed,
  cardPermissions: CardPermissions,
  rights: RightsExplainer,
  history: HistoryService,
  comments: CommentService,
  documents: DocumentService,
  todos: TodoService,
  cardTags: CardTagService,
  files: FileStore,
  imports: ImportService,
  importFormats: ImportFormats,
  staging: Staging,
  applying: Applying,
  importRetention: ImportRetention,
  jobs: JobRunner,
  jobService: JobService,
  cron: CronTable,
  schedules: ScheduleService,
  modules: ModuleHost,
  extensions: Extensions,
  cardSections: CardSections,
  notifications: NotificationService,
  notificationPreferences: NotificationPreferences,
  notificationKinds: NotificationKinds,
  notificationWriter: NotificationWriter,
  notificationFeed: NotificationFeed,
  mailer: Mailer,
  metrics: Metrics,
  outbound: Outbound,
  webhooks: WebhookService,
  webhookDeliveries: WebhookDeliveries,
  webhookDispatch: WebhookDispatch,
};
