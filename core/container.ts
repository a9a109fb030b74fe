import 'reflect-metadata';
import { container as root, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import { registerCoreConstraints } from './constraints.js';
import { commonRoles, defaultCardTypes, defaultRelationTypes } from '../config/metamodel/index.js';
import type { Config } from '../config/schema.js';
import { AccessGate, OnceCosts } from './inventory/access/index.js';
import { AuthService, DatabaseLimitStore, RateLimiter, RedisLimitStore, SessionCache, SetupCode, TokenKeys, WriteLimits } from './identity/auth/index.js';
import { AttributeIndexes, CardMaintenance, CardPermissions, CardReads, CardService, StakeholderService, removeStakeholder } from './inventory/cards/index.js';
import { CommentService } from './inventory/items/comments/index.js';
import { ChangeNotifier } from './foundation/db/change-notifier.js';
import type { DatabaseConnection } from './foundation/db/connection.js';
import { Database } from './foundation/db/database.js';
import { Reads } from './foundation/db/replica.js';
import { Statistics } from './foundation/db/statistics.js';
import { Storage } from './foundation/db/storage.js';
import { DatabaseWatch } from './foundation/db/watch.js';
import { Revisions } from './foundation/db/revisions.js';
import { Transactions } from './foundation/db/unit-of-work.js';
import { DocumentService } from './inventory/items/documents/index.js';
import { EventFeed, EventLog, EventRetention, EventVisibility, Sequencer, StreamHub, StreamTickets, Subscriptions } from './messaging/events/index.js';
import { HistoryService } from './inventory/history/index.js';
import { ExportService } from './inventory/exports/index.js';
import { FileStore } from './foundation/files/index.js';
import { Draining } from './foundation/http/draining.js';
import { LargeBodies } from './foundation/http/large-bodies.js';
import { Metrics } from './foundation/http/metrics.js';
import { GraphMemory, ImpactService } from './inventory/impact/index.js';
import { Applying, ImportFormats, ImportRetention, ImportService, RowVisibilities, Staging } from './inventory/imports/index.js';
import { CronTable, JobRunner, JobService } from './foundation/jobs/index.js';
import type { Log } from './foundation/log.js';
import { CardTypeService, MetamodelService, MetamodelWriter, RelationTypeService, StakeholderRoleService, TagGroupService } from './inventory/metamodel/index.js';
import { Extensions } from './inventory/extensions.js';
import { CardSections, ModuleHost } from './modules/index.js';
import { Mailer, NotificationFeed, NotificationKinds, NotificationPreferences, NotificationService, NotificationWriter } from './messaging/notifications/index.js';
import { Outbound } from './foundation/outbound/index.js';
import { LoginAttempts, PasswordHasher } from './identity/passwords/index.js';
import { PermissionCatalogue, RbacService, RoleService } from './identity/rbac/index.js';
import { RelationService } from './inventory/relations/index.js';
import { Secrets } from './foundation/secrets/index.js';
import { AiSettings, CardLimits, LogoService, SettingsService, SmtpSettings } from './settings/index.js';
import { CardTagService } from './inventory/items/tags/index.js';
import { TodoService, unassignTodosOf } from './inventory/items/todos/index.js';
import { CONFIG, DATABASE, LOG } from './tokens.js';
import { UserService } from './identity/users/index.js';
import { WebhookDeliveries, WebhookDispatch, WebhookFanOut, WebhookRendering, WebhookSender, WebhookService, releaseWebhooksOf } from './messaging/webhooks/index.js';

/** What routes and modules are given; nothing else is resolved after this. */
export interface Services {
  config: Config;
  db: Database;
  databaseWatch: DatabaseWatch;
  storage: Storage;
  statistics: Statistics;
  reads: Reads;
  draining: Draining;
  largeBodies: LargeBodies;
  notifier: ChangeNotifier;
  revisions: Revisions;
  transactions: Transactions;
  secrets: Secrets;
  settings: SettingsService;
  logo: LogoService;
  smtp: SmtpSettings;
  ai: AiSettings;
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
  users: UserService;
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
  cardPermissions: CardPermissions;
  stakeholders: StakeholderService;
  history: HistoryService;
  comments: CommentService;
  documents: DocumentService;
  todos: TodoService;
  cardTags: CardTagService;
  relations: RelationService;
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
  modules: ModuleHost;
  extensions: Extensions;
  cardSections: CardSections;
  metrics: Metrics;
  outbound: Outbound;
  webhooks: WebhookService;
  webhookDeliveries: WebhookDeliveries;
  webhookDispatch: WebhookDispatch;
}

export interface Deps {
  config: Config;
  database: DatabaseConnection;
  log: Log;
}

/** The one composition root: a child container per app, factories instead of decorators, one instance of each. */
export function compose({ config, database, log }: Deps): { services: Services; container: DependencyContainer } {
  registerCoreConstraints();
  const c = root.createChildContainer();
  c.register(CONFIG, { useValue: config });
  c.register(LOG, { useValue: log });
  c.register(DATABASE, { useValue: new Database({ connection: database, max: config.databasePoolMax, onError: (reason) => log.warn({ reason }, 'a database connection broke') }) });

  const once = <T>(type: InjectionToken<T>, make: (get: <V>(token: InjectionToken<V>) => V) => T): void => {
    c.register(type, { useFactory: instanceCachingFactory((at) => make((token) => at.resolve(token))) });
  };
  once(Metrics, () => new Metrics());
  once(Draining, () => new Draining());
  once(Statistics, (get) => new Statistics(get(DATABASE), get(LOG)));
  once(Storage, (get) => {
    const { databaseUrl, storageMinFreeMb } = get(CONFIG);
    return new Storage(get(DATABASE), { minFreeBytes: storageMinFreeMb * 1_048_576, isEmbedded: databaseUrl === undefined }, get(LOG));
  });
  once(LargeBodies, (get) => new LargeBodies(get(CONFIG).largeBodies, get(CONFIG).largeBodyWaitSeconds * 1_000));
  once(DatabaseWatch, (get) => new DatabaseWatch(get(DATABASE), get(LOG)));
  once(Reads, (get) => {
    const { databaseReplicaUrl: url, databasePoolMax: max } = get(CONFIG);
    if (url === undefined) return new Reads(get(DATABASE), undefined, get(LOG));
    const served = get(Metrics).counter({ name: 'lintel_reads_total', help: 'Reads that may run on the replica, by the server they ran on.', labels: ['server'] });
    const replica = new Database({ connection: { connectionString: url }, isReplica: true, max });
    return new Reads(get(DATABASE), replica, get(LOG), { onRead: (server) => served.inc({ server }) });
  });
  once(Outbound, (get) => new Outbound(get(CONFIG).outboundAllow));
  once(ChangeNotifier, (get) => new ChangeNotifier(get(DATABASE), get(LOG)));
  once(Revisions, (get) => new Revisions(get(DATABASE), get(ChangeNotifier), get(LOG)));
  once(Transactions, (get) => new Transactions(get(DATABASE), get(ChangeNotifier), get(Revisions), { storage: get(Storage), statistics: get(Statistics) }));
  once(Secrets, (get) => new Secrets(get(DATABASE), get(CONFIG)));
  once(SettingsService, (get) => new SettingsService(get(DATABASE), get(Transactions), get(Revisions), get(RbacService)));
  once(CardLimits, (get) => new CardLimits(get(SettingsService)));
  once(LogoService, (get) => new LogoService(get(DATABASE), get(Transactions), get(FileStore), get(Revisions)));
  once(SmtpSettings, (get) => new SmtpSettings(get(DATABASE), get(Transactions), get(Secrets), get(Outbound), get(SettingsService)));
  once(AiSettings, (get) => new AiSettings(get(DATABASE), get(Transactions), get(Secrets), get(Outbound)));
  once(PermissionCatalogue, (get) => new PermissionCatalogue(get(Transactions)));
  once(MetamodelService, (get) => new MetamodelService(get(DATABASE), get(Transactions), get(Revisions), { cardTypes: defaultCardTypes, relationTypes: defaultRelationTypes }));
  once(RbacService, (get) => new RbacService(get(DATABASE), get(Transactions), get(Revisions), get(MetamodelService), get(PermissionCatalogue)));
  once(AccessGate, (get) => new AccessGate(get(DATABASE), get(MetamodelService), get(RbacService)));
  once(OnceCosts, (get) => new OnceCosts(get(DATABASE), get(MetamodelService)));
  once(RoleService, (get) => new RoleService(get(DATABASE), get(Transactions), get(PermissionCatalogue)));
  once(TokenKeys, (get) => new TokenKeys(get(CONFIG), get(Secrets)));
  once(RateLimiter, (get) => {
    const fallback = new DatabaseLimitStore(get(DATABASE));
    const { redisUrl: url } = get(CONFIG);
    return new RateLimiter(url === undefined ? fallback : new RedisLimitStore({ url, secrets: get(Secrets), fallback, log: get(LOG) }));
  });
  once(WriteLimits, (get) => new WriteLimits(get(DATABASE), get(SettingsService)));
  once(PasswordHasher, (get) => new PasswordHasher(get(CONFIG).threadPoolSize));
  once(LoginAttempts, (get) => new LoginAttempts(get(DATABASE), () => get(SettingsService).current.login_limits));
  once(SetupCode, (get) => new SetupCode(get(DATABASE), get(Secrets), get(LOG)));
  once(SessionCache, (get) => new SessionCache(get(DATABASE), get(Revisions), get(RbacService)));
  once(UserService, (get) => new UserService(get(DATABASE), get(Transactions), get(RbacService), get(PasswordHasher), get(LoginAttempts)));
  once(AuthService, (get) => new AuthService(get(DATABASE), get(Transactions), get(CONFIG), get(SessionCache), get(RbacService), get(UserService), get(SettingsService), get(PasswordHasher), get(SetupCode), get(LoginAttempts)));
  once(CardReads, (get) => new CardReads(get(DATABASE), get(MetamodelService)));
  once(GraphMemory, (get) => new GraphMemory(get(DATABASE), get(EventLog), get(LOG), { most: get(CONFIG).impactGraphMaxRelations }));
  once(ImpactService, (get) => new ImpactService(get(DATABASE), get(MetamodelService), get(AccessGate), get(GraphMemory)));
  once(ExportService, (get) => new ExportService(get(Reads), get(MetamodelService), get(Extensions), get(CONFIG).databasePoolMax));
  once(CardService, (get) => new CardService(get(DATABASE), get(Transactions), get(MetamodelService), get(RbacService), get(CardReads), get(AccessGate)));
  once(CardMaintenance, (get) => new CardMaintenance(get(Transactions), get(CardService)));
  once(AttributeIndexes, (get) => new AttributeIndexes(get(DATABASE), get(MetamodelService), get(Revisions), get(JobRunner), get(LOG)));
  once(StakeholderService, (get) => new StakeholderService(get(DATABASE), get(Transactions), get(MetamodelService), get(CardService), get(CardPermissions), get(AccessGate), get(PermissionCatalogue), get(CardLimits)));
  once(CardPermissions, (get) => new CardPermissions(get(DATABASE), get(AccessGate), get(RbacService), get(PermissionCatalogue)));
  once(HistoryService, (get) => new HistoryService(get(DATABASE), get(AccessGate), get(OnceCosts)));
  once(CommentService, (get) => new CommentService(get(DATABASE), get(Transactions), get(CardPermissions), get(CardLimits)));
  once(DocumentService, (get) => new DocumentService(get(DATABASE), get(Transactions), get(CardPermissions), get(CardLimits)));
  once(TodoService, (get) => new TodoService(get(DATABASE), get(Transactions), get(CardPermissions), get(AccessGate), get(CardLimits)));
  once(CardTagService, (get) => new CardTagService(get(DATABASE), get(Transactions), get(CardPermissions), get(CardService), get(CardLimits)));
  once(RelationService, (get) => new RelationService(get(DATABASE), get(Transactions), get(MetamodelService), get(AccessGate), get(CardService)));
  once(Sequencer, (get) => new Sequencer(get(DATABASE), get(ChangeNotifier), get(LOG)));
  once(EventLog, (get) => new EventLog(get(DATABASE), get(ChangeNotifier), get(Revisions), get(LOG)));
  once(EventVisibility, (get) => new EventVisibility(get(MetamodelService), get(RbacService), get(OnceCosts), get(DATABASE)));
  once(StreamHub, (get) => new StreamHub(get(EventLog), get(EventVisibility), get(SessionCache), get(Revisions), get(LOG)));
  once(StreamTickets, (get) => new StreamTickets(get(DATABASE), get(SessionCache), get(RateLimiter)));
  once(EventRetention, (get) => new EventRetention(get(DATABASE), get(Transactions), get(ChangeNotifier), get(LOG)));
  once(Subscriptions, (get) => new Subscriptions(get(DATABASE), get(ChangeNotifier), get(EventLog), get(LOG)));
  once(EventFeed, (get) => new EventFeed(get(DATABASE), get(Transactions), get(EventLog), get(LOG)));
  once(NotificationKinds, () => new NotificationKinds());
  once(NotificationWriter, (get) => new NotificationWriter(get(NotificationKinds)));
  once(NotificationService, (get) => new NotificationService(get(DATABASE), get(Transactions), get(MetamodelService), get(NotificationKinds)));
  once(NotificationPreferences, (get) => new NotificationPreferences(get(DATABASE), get(Transactions), get(NotificationKinds)));
  once(NotificationFeed, (get) => new NotificationFeed(get(EventFeed), get(EventVisibility), get(MetamodelService), get(RbacService), get(NotificationKinds), get(NotificationWriter)));
  once(Mailer, (get) => new Mailer(get(DATABASE), get(Transactions), get(SmtpSettings), get(SettingsService), get(MetamodelService), get(RbacService), get(NotificationKinds)));
  once(JobRunner, (get) => new JobRunner(get(DATABASE), get(Transactions), get(ChangeNotifier), get(LOG), get(Storage)));
  once(JobService, (get) => new JobService(get(DATABASE), get(Transactions), get(ChangeNotifier), get(JobRunner)));
  once(MetamodelWriter, (get) => new MetamodelWriter(get(Transactions), get(JobRunner), get(MetamodelService)));
  once(CardTypeService, (get) => new CardTypeService(get(DATABASE), get(MetamodelWriter), get(MetamodelService), get(PermissionCatalogue), commonRoles));
  once(RelationTypeService, (get) => new RelationTypeService(get(MetamodelWriter), get(MetamodelService), get(PermissionCatalogue)));
  once(StakeholderRoleService, (get) => new StakeholderRoleService(get(CardTypeService)));
  once(TagGroupService, (get) => new TagGroupService(get(MetamodelWriter), get(MetamodelService)));
  once(FileStore, (get) => new FileStore(get(DATABASE), get(Storage)));
  once(ImportService, (get) => new ImportService(get(DATABASE), get(Transactions), get(FileStore), get(JobRunner), get(MetamodelService), new RowVisibilities(get(AccessGate), get(MetamodelService))));
  once(Staging, (get) => new Staging(get(DATABASE), get(Transactions), get(FileStore), get(MetamodelService), get(RbacService), get(CardService), get(RelationService), get(AccessGate), get(ImportFormats), get(LOG)));
  once(Applying, (get) => new Applying(get(DATABASE), get(Transactions), get(RbacService), get(CardService), get(RelationService)));
  once(ImportRetention, (get) => new ImportRetention(get(Transactions), get(FileStore), get(CONFIG).importRetentionDays));
  once(CronTable, (get) => new CronTable(get(DATABASE), get(JobRunner), get(LOG)));
  once(Extensions, () => new Extensions());
  once(ImportFormats, (get) => new ImportFormats(get(Extensions)));
  once(CardSections, (get) => new CardSections(get(Extensions), get(CardPermissions), get(LOG)));
  once(ModuleHost, (get) => new ModuleHost(get(DATABASE), get(Transactions), get(Revisions), get(CONFIG), get(LOG)));
  once(WebhookService, (get) => new WebhookService(get(DATABASE), get(Transactions), get(Secrets), get(Outbound), get(UserService)));
  once(WebhookDeliveries, (get) => new WebhookDeliveries(get(DATABASE), get(Transactions), get(ChangeNotifier), get(EventVisibility)));
  once(WebhookRendering, (get) => new WebhookRendering(get(UserService), get(EventVisibility), get(EventLog), get(Secrets)));
  once(WebhookSender, (get) => new WebhookSender(get(DATABASE), get(Transactions), get(ChangeNotifier), get(Outbound), get(WebhookRendering), get(CONFIG).webhookDisableHours, get(LOG)));
  once(WebhookDispatch, (get) => new WebhookDispatch(get(EventFeed), new WebhookFanOut(get(UserService), get(EventVisibility), get(ChangeNotifier)), get(WebhookSender)));

  const services: Services = {
    config, db: c.resolve(DATABASE), databaseWatch: c.resolve(DatabaseWatch), storage: c.resolve(Storage), statistics: c.resolve(Statistics), reads: c.resolve(Reads), draining: c.resolve(Draining), largeBodies: c.resolve(LargeBodies), notifier: c.resolve(ChangeNotifier), revisions: c.resolve(Revisions), transactions: c.resolve(Transactions),
    secrets: c.resolve(Secrets), settings: c.resolve(SettingsService), logo: c.resolve(LogoService), smtp: c.resolve(SmtpSettings), ai: c.resolve(AiSettings), permissions: c.resolve(PermissionCatalogue), rbac: c.resolve(RbacService), access: c.resolve(AccessGate), onceCosts: c.resolve(OnceCosts), roles: c.resolve(RoleService),
    tokenKeys: c.resolve(TokenKeys), limiter: c.resolve(RateLimiter), writeLimits: c.resolve(WriteLimits), sessions: c.resolve(SessionCache), setupCode: c.resolve(SetupCode), auth: c.resolve(AuthService), users: c.resolve(UserService),
    metamodel: c.resolve(MetamodelService), cardTypes: c.resolve(CardTypeService), relationTypes: c.resolve(RelationTypeService),
    stakeholderRoles: c.resolve(StakeholderRoleService), tagGroups: c.resolve(TagGroupService),
    cards: c.resolve(CardService), cardReads: c.resolve(CardReads), cardMaintenance: c.resolve(CardMaintenance), attributeIndexes: c.resolve(AttributeIndexes), exports: c.resolve(ExportService), impact: c.resolve(ImpactService), stakeholders: c.resolve(StakeholderService), relations: c.resolve(RelationService),
    events: c.resolve(EventLog), sequencer: c.resolve(Sequencer), visibility: c.resolve(EventVisibility), streams: c.resolve(StreamHub), streamTickets: c.resolve(StreamTickets), eventRetention: c.resolve(EventRetention), subscriptions: c.resolve(Subscriptions), feed: c.resolve(EventFeed),
    cardPermissions: c.resolve(CardPermissions), history: c.resolve(HistoryService), comments: c.resolve(CommentService), documents: c.resolve(DocumentService),
    todos: c.resolve(TodoService), cardTags: c.resolve(CardTagService),
    files: c.resolve(FileStore), imports: c.resolve(ImportService), importFormats: c.resolve(ImportFormats), staging: c.resolve(Staging), applying: c.resolve(Applying), importRetention: c.resolve(ImportRetention),
    jobs: c.resolve(JobRunner), jobService: c.resolve(JobService), cron: c.resolve(CronTable), modules: c.resolve(ModuleHost), extensions: c.resolve(Extensions), cardSections: c.resolve(CardSections),
    notifications: c.resolve(NotificationService), notificationPreferences: c.resolve(NotificationPreferences), notificationKinds: c.resolve(NotificationKinds), notificationWriter: c.resolve(NotificationWriter),
    notificationFeed: c.resolve(NotificationFeed), mailer: c.resolve(Mailer),
    metrics: c.resolve(Metrics), outbound: c.resolve(Outbound),
    webhooks: c.resolve(WebhookService), webhookDeliveries: c.resolve(WebhookDeliveries), webhookDispatch: c.resolve(WebhookDispatch),
  };
  services.users.beforeDelete(unassignTodosOf);
  services.users.beforeDelete(releaseWebhooksOf);
  services.users.beforeDelete((uow, user) => removeStakeholder(uow, user, (...on) => services.cards.rescore(...on)));
  return { services, container: c };
}
