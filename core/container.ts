import 'reflect-metadata';
import { container as root, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import type { Config } from '../config/schema.js';
import { AuthService, PasswordHasher, SessionCache, TokenKeys } from './auth/index.js';
import { CardMaintenance, CardPermissions, CardReads, CardService, StakeholderService, leaveCards } from './cards/index.js';
import { CommentService } from './comments/index.js';
import { Bell } from './db/bell.js';
import type { DatabaseConnection } from './db/connection.js';
import { Database } from './db/database.js';
import { Revisions } from './db/revisions.js';
import { Transactions } from './db/unit-of-work.js';
import { DocumentService } from './documents/index.js';
import { EventLog, EventVisibility, Sequencer, StreamHub } from './events/index.js';
import { HistoryService } from './history/index.js';
import { ExportService } from './exports/index.js';
import { FileStore } from './files/index.js';
import { GraphMemory, ImpactService } from './impact/index.js';
import { Applying, ImportService, Staging } from './imports/index.js';
import { CronTable, JobRunner } from './jobs/index.js';
import type { Log } from './log.js';
import { CardTypeService, MetamodelService, MetamodelWriter, RelationTypeService, StakeholderRoleService, TagGroupService } from './metamodel/index.js';
import { ModuleHost } from './modules/index.js';
import { PermissionCatalogue, RbacService, RoleService } from './rbac/index.js';
import { RelationService } from './relations/index.js';
import { Secrets } from './secrets/index.js';
import { SettingsService } from './settings/index.js';
import { CardTagService } from './tags/index.js';
import { TodoService, leaveTodos } from './todos/index.js';
import { CONFIG, DATABASE, LOG } from './tokens.js';
import { UserService } from './users/index.js';

/** What routes and modules are given; nothing else is resolved after this. */
export interface Services {
  config: Config;
  db: Database;
  bell: Bell;
  revisions: Revisions;
  transactions: Transactions;
  secrets: Secrets;
  settings: SettingsService;
  permissions: PermissionCatalogue;
  rbac: RbacService;
  roles: RoleService;
  tokenKeys: TokenKeys;
  sessions: SessionCache;
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
  files: FileStore;
  imports: ImportService;
  staging: Staging;
  applying: Applying;
  jobs: JobRunner;
  cron: CronTable;
  modules: ModuleHost;
}

export interface Deps {
  config: Config;
  database: DatabaseConnection;
  log: Log;
}

/** The one composition root: a child container per app, factories instead of decorators, one instance of each. */
export function compose({ config, database, log }: Deps): { services: Services; container: DependencyContainer } {
  const c = root.createChildContainer();
  c.register(CONFIG, { useValue: config });
  c.register(LOG, { useValue: log });
  c.register(DATABASE, { useValue: new Database({ connection: database, max: config.databasePoolMax, onError: (reason) => log.warn({ reason }, 'a database connection broke') }) });

  const once = <T>(type: InjectionToken<T>, make: (get: <V>(token: InjectionToken<V>) => V) => T): void => {
    c.register(type, { useFactory: instanceCachingFactory((at) => make((token) => at.resolve(token))) });
  };
  once(Bell, (get) => new Bell(get(DATABASE), get(LOG)));
  once(Revisions, (get) => new Revisions(get(DATABASE), get(Bell), get(LOG)));
  once(Transactions, (get) => new Transactions(get(DATABASE), get(Bell), get(Revisions)));
  once(Secrets, (get) => new Secrets(get(DATABASE), get(CONFIG)));
  once(SettingsService, (get) => new SettingsService(get(DATABASE), get(Transactions), get(Revisions)));
  once(PermissionCatalogue, (get) => new PermissionCatalogue(get(Transactions)));
  once(MetamodelService, (get) => new MetamodelService(get(DATABASE), get(Transactions), get(Revisions)));
  once(RbacService, (get) => new RbacService(get(DATABASE), get(Transactions), get(Revisions), get(MetamodelService), get(PermissionCatalogue)));
  once(RoleService, (get) => new RoleService(get(DATABASE), get(Transactions), get(MetamodelService), get(PermissionCatalogue)));
  once(TokenKeys, (get) => new TokenKeys(get(CONFIG), get(Secrets)));
  once(PasswordHasher, () => new PasswordHasher());
  once(SessionCache, (get) => new SessionCache(get(DATABASE), get(Revisions), get(RbacService)));
  once(UserService, (get) => new UserService(get(DATABASE), get(Transactions), get(RbacService), get(PasswordHasher)));
  once(AuthService, (get) => new AuthService(get(DATABASE), get(Transactions), get(CONFIG), get(SessionCache), get(RbacService), get(UserService), get(SettingsService), get(PasswordHasher)));
  once(CardReads, (get) => new CardReads(get(DATABASE), get(MetamodelService), get(RbacService)));
  once(GraphMemory, (get) => new GraphMemory(get(DATABASE), get(EventLog), get(LOG), { most: get(CONFIG).impactGraphMaxRelations }));
  once(ImpactService, (get) => new ImpactService(get(DATABASE), get(MetamodelService), get(GraphMemory)));
  once(ExportService, (get) => new ExportService(get(DATABASE), get(MetamodelService), get(CONFIG).databasePoolMax));
  once(CardService, (get) => new CardService(get(DATABASE), get(Transactions), get(MetamodelService), get(RbacService), get(CardReads)));
  once(CardMaintenance, (get) => new CardMaintenance(get(Transactions), get(CardService)));
  once(StakeholderService, (get) => new StakeholderService(get(DATABASE), get(Transactions), get(MetamodelService), get(CardService), get(CardPermissions)));
  once(CardPermissions, (get) => new CardPermissions(get(DATABASE), get(RbacService), get(PermissionCatalogue)));
  once(HistoryService, (get) => new HistoryService(get(DATABASE), get(MetamodelService), get(RbacService)));
  once(CommentService, (get) => new CommentService(get(DATABASE), get(Transactions), get(CardPermissions)));
  once(DocumentService, (get) => new DocumentService(get(DATABASE), get(Transactions), get(CardPermissions)));
  once(TodoService, (get) => new TodoService(get(DATABASE), get(Transactions), get(CardPermissions), get(MetamodelService)));
  once(CardTagService, (get) => new CardTagService(get(DATABASE), get(Transactions), get(CardPermissions), get(CardService)));
  once(RelationService, (get) => new RelationService(get(DATABASE), get(Transactions), get(MetamodelService), get(RbacService), get(CardService)));
  once(Sequencer, (get) => new Sequencer(get(DATABASE), get(Bell), get(LOG)));
  once(EventLog, (get) => new EventLog(get(DATABASE), get(Bell), get(LOG)));
  once(EventVisibility, (get) => new EventVisibility(get(MetamodelService), get(RbacService), get(DATABASE)));
  once(StreamHub, (get) => new StreamHub(get(EventLog), get(EventVisibility), get(SessionCache), get(Revisions), get(LOG)));
  once(JobRunner, (get) => new JobRunner(get(DATABASE), get(Transactions), get(Bell), get(LOG)));
  once(MetamodelWriter, (get) => new MetamodelWriter(get(Transactions), get(JobRunner)));
  once(CardTypeService, (get) => new CardTypeService(get(DATABASE), get(MetamodelWriter), get(MetamodelService), get(PermissionCatalogue)));
  once(RelationTypeService, (get) => new RelationTypeService(get(MetamodelWriter), get(MetamodelService), get(PermissionCatalogue)));
  once(StakeholderRoleService, (get) => new StakeholderRoleService(get(CardTypeService)));
  once(TagGroupService, (get) => new TagGroupService(get(MetamodelWriter), get(MetamodelService)));
  once(FileStore, (get) => new FileStore(get(DATABASE)));
  once(ImportService, (get) => new ImportService(get(DATABASE), get(Transactions), get(FileStore), get(JobRunner), get(MetamodelService)));
  once(Staging, (get) => new Staging(get(DATABASE), get(Transactions), get(FileStore), get(MetamodelService), get(RbacService)));
  once(Applying, (get) => new Applying(get(DATABASE), get(Transactions), get(RbacService), get(CardService), get(RelationService)));
  once(CronTable, (get) => new CronTable(get(DATABASE), get(JobRunner), get(LOG)));
  once(ModuleHost, (get) => new ModuleHost(get(DATABASE), get(Transactions), get(Revisions), get(CONFIG), get(LOG)));

  const services: Services = {
    config, db: c.resolve(DATABASE), bell: c.resolve(Bell), revisions: c.resolve(Revisions), transactions: c.resolve(Transactions),
    secrets: c.resolve(Secrets), settings: c.resolve(SettingsService), permissions: c.resolve(PermissionCatalogue), rbac: c.resolve(RbacService), roles: c.resolve(RoleService),
    tokenKeys: c.resolve(TokenKeys), sessions: c.resolve(SessionCache), auth: c.resolve(AuthService), users: c.resolve(UserService),
    metamodel: c.resolve(MetamodelService), cardTypes: c.resolve(CardTypeService), relationTypes: c.resolve(RelationTypeService),
    stakeholderRoles: c.resolve(StakeholderRoleService), tagGroups: c.resolve(TagGroupService),
    cards: c.resolve(CardService), cardReads: c.resolve(CardReads), cardMaintenance: c.resolve(CardMaintenance), exports: c.resolve(ExportService), impact: c.resolve(ImpactService), stakeholders: c.resolve(StakeholderService), relations: c.resolve(RelationService),
    events: c.resolve(EventLog), sequencer: c.resolve(Sequencer), visibility: c.resolve(EventVisibility), streams: c.resolve(StreamHub),
    cardPermissions: c.resolve(CardPermissions), history: c.resolve(HistoryService), comments: c.resolve(CommentService), documents: c.resolve(DocumentService),
    todos: c.resolve(TodoService), cardTags: c.resolve(CardTagService),
    files: c.resolve(FileStore), imports: c.resolve(ImportService), staging: c.resolve(Staging), applying: c.resolve(Applying),
    jobs: c.resolve(JobRunner), cron: c.resolve(CronTable), modules: c.resolve(ModuleHost),
  };
  services.users.beforeDelete(leaveTodos);
  services.users.beforeDelete((uow, user) => leaveCards(uow, user, (...on) => services.cards.rescore(...on)));
  return { services, container: c };
}
