import 'reflect-metadata';
import { container as root, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import type { Config } from '../config/schema.js';
import { AuthService, PasswordHasher, SessionCache, TokenKeys } from './auth/index.js';
import { CardReads, CardService, StakeholderService } from './cards/index.js';
import { Bell } from './db/bell.js';
import type { DatabaseConnection } from './db/connection.js';
import { Database } from './db/database.js';
import { Revisions } from './db/revisions.js';
import { Transactions } from './db/unit-of-work.js';
import { EventLog, EventVisibility, Sequencer, StreamHub } from './events/index.js';
import { CronTable, JobRunner } from './jobs/index.js';
import type { Log } from './log.js';
import { MetamodelService } from './metamodel/index.js';
import { ModuleHost } from './modules/index.js';
import { PermissionCatalogue, RbacService } from './rbac/index.js';
import { RelationService } from './relations/index.js';
import { Secrets } from './secrets/index.js';
import { SettingsService } from './settings/index.js';
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
  tokenKeys: TokenKeys;
  sessions: SessionCache;
  auth: AuthService;
  users: UserService;
  metamodel: MetamodelService;
  cards: CardService;
  cardReads: CardReads;
  stakeholders: StakeholderService;
  relations: RelationService;
  events: EventLog;
  sequencer: Sequencer;
  visibility: EventVisibility;
  streams: StreamHub;
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
  once(TokenKeys, (get) => new TokenKeys(get(CONFIG), get(Secrets)));
  once(PasswordHasher, () => new PasswordHasher());
  once(SessionCache, (get) => new SessionCache(get(DATABASE), get(Revisions), get(RbacService)));
  once(UserService, (get) => new UserService(get(DATABASE), get(Transactions), get(RbacService), get(PasswordHasher)));
  once(AuthService, (get) => new AuthService(get(DATABASE), get(Transactions), get(CONFIG), get(SessionCache), get(RbacService), get(UserService), get(SettingsService), get(PasswordHasher)));
  once(CardReads, (get) => new CardReads(get(DATABASE), get(MetamodelService), get(RbacService)));
  once(CardService, (get) => new CardService(get(DATABASE), get(Transactions), get(MetamodelService), get(RbacService), get(CardReads)));
  once(StakeholderService, (get) => new StakeholderService(get(DATABASE), get(Transactions), get(MetamodelService)));
  once(RelationService, (get) => new RelationService(get(DATABASE), get(Transactions), get(MetamodelService), get(RbacService), get(CardService)));
  once(Sequencer, (get) => new Sequencer(get(DATABASE), get(Bell), get(LOG)));
  once(EventLog, (get) => new EventLog(get(DATABASE), get(Bell), get(LOG)));
  once(EventVisibility, (get) => new EventVisibility(get(MetamodelService), get(RbacService), get(DATABASE)));
  once(StreamHub, (get) => new StreamHub(get(EventLog), get(EventVisibility), get(SessionCache), get(Revisions), get(LOG)));
  once(JobRunner, (get) => new JobRunner(get(DATABASE), get(Transactions), get(Bell), get(LOG)));
  once(CronTable, (get) => new CronTable(get(DATABASE), get(JobRunner), get(LOG)));
  once(ModuleHost, (get) => new ModuleHost(get(DATABASE), get(Transactions), get(Revisions), get(CONFIG), get(LOG)));

  const services: Services = {
    config, db: c.resolve(DATABASE), bell: c.resolve(Bell), revisions: c.resolve(Revisions), transactions: c.resolve(Transactions),
    secrets: c.resolve(Secrets), settings: c.resolve(SettingsService), permissions: c.resolve(PermissionCatalogue), rbac: c.resolve(RbacService),
    tokenKeys: c.resolve(TokenKeys), sessions: c.resolve(SessionCache), auth: c.resolve(AuthService), users: c.resolve(UserService),
    metamodel: c.resolve(MetamodelService), cards: c.resolve(CardService), cardReads: c.resolve(CardReads), stakeholders: c.resolve(StakeholderService), relations: c.resolve(RelationService),
    events: c.resolve(EventLog), sequencer: c.resolve(Sequencer), visibility: c.resolve(EventVisibility), streams: c.resolve(StreamHub),
    jobs: c.resolve(JobRunner), cron: c.resolve(CronTable), modules: c.resolve(ModuleHost),
  };
  return { services, container: c };
}
