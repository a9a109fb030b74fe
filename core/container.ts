import 'reflect-metadata';
import { container as root, instanceCachingFactory, type InjectionToken } from 'tsyringe';
import type { Config } from '../config/schema.js';
import { registerCoreConstraints } from './constraints.js';
import type { DatabaseConnection } from './foundation/db/connection.js';
import { Database } from './foundation/db/database.js';
import type { Log } from './foundation/log.js';
import { removeStakeholder } from './inventory/cards/index.js';
import { unassignTodosOf } from './inventory/items/todos/index.js';
import { releaseWebhooksOf } from './messaging/webhooks/index.js';
import { CONFIG, DATABASE, LOG } from './composition/tokens.js';
import { CLASSES } from './composition/classes.js';
import { registerFoundation } from './composition/foundation.js';
import { registerIdentity } from './composition/identity.js';
import { registerSettings } from './composition/settings.js';
import { registerInventory } from './composition/inventory.js';
import { registerMessaging } from './composition/messaging.js';
import { registerModules } from './composition/modules.js';
import type { Once } from './composition/once.js';
import type { Services } from './composition/services.js';

export type { Services };

interface Deps {
  config: Config;
  database: DatabaseConnection;
  log: Log;
}

/** The one composition root: a child container per app, factories instead of decorators, one instance of each. */
export function compose({ config, database, log }: Deps): Services {
  registerCoreConstraints();
  const c = root.createChildContainer();
  c.register(CONFIG, { useValue: config });
  c.register(LOG, { useValue: log });
  c.register(DATABASE, {
    useValue: new Database({
      connection: database,
      max: config.databasePoolMax,
      onError: (reason) => log.warn({ reason }, 'a database connection broke'),
    }),
  });

  const once: Once = (type, make) => {
    c.register(type, { useFactory: instanceCachingFactory((at) => make((token) => at.resolve(token))) });
  };
  registerFoundation(once);
  registerIdentity(once);
  registerSettings(once);
  registerInventory(once);
  registerMessaging(once);
  registerModules(once);
  const services = Object.fromEntries(
    Object.entries(CLASSES).map(([name, token]) => [name, c.resolve<unknown>(token as InjectionToken<unknown>)]),
  ) as unknown as Services;
  services.users.protect((uow, id) => services.ssoSettings.isProtected(uow, id));
  services.users.beforeDelete(unassignTodosOf);
  services.users.beforeDelete(releaseWebhooksOf);
  services.users.beforeDelete((uow, user) => removeStakeholder(uow, user, (...on) => services.cards.rescore(...on)));
  return services;
}
