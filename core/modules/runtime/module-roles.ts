import { systemContext } from '../../foundation/context.js';
import type { Database } from '../../foundation/db/database.js';
import {
  dropRole,
  isRoleReady,
  makeRole,
  mayCreateRoles,
  mayGrantSchema,
  roleName,
  RoleRefused,
} from '../../foundation/db/role-rights.js';
import type { StatementRole } from '../../foundation/db/statement-role.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { asService } from '../../foundation/request-use.js';
import type { Log } from '../../foundation/log.js';
import { READABLE, rightsOf } from '../install/rights.js';
import type { InstalledModule } from '../installed.js';
import { isMigrated } from '../repository.js';
import { outside } from './module-scope.js';

const MAY_NOT = 'The user of the database may not create roles (CREATEROLE).';
const MAY_NOT_CREATE = 'Its migrations run as the user of the database, who may not create roles (CREATEROLE).';
const MAY_NOT_GRANT =
  'Its migrations run as the user of the database, who may not grant CREATE on the schema public to their role.';

/**
 * The database roles of modules that are not part of Lintel: their SQL can use their own tables, and nothing else of the
 * platform than what the inventory is read from. A guard against mistakes: a module can send `reset role` like any other statement.
 */
export class ModuleRoles {
  private readonly warned = new Set<string>();

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly log: Log,
  ) {}

  /** Notes for modules that were found whether they can have a role. */
  async check(modules: readonly InstalledModule[]): Promise<void> {
    const own = modules.filter(({ candidate }) => candidate.foreign);
    if (own.length === 0) return;
    const [mayCreate, mayGrant] = [await mayCreateRoles(this.db), await mayGrantSchema(this.db)];
    for (const module of own) {
      if (!mayCreate) module.sharesRole ??= MAY_NOT;
      module.sharesMigrations = mayCreate && mayGrant ? undefined : mayCreate ? MAY_NOT_GRANT : MAY_NOT_CREATE;
    }
  }

  /** Logs a warning if modules have no role: once per reason. */
  announce(modules: readonly InstalledModule[]): void {
    for (const { sharesRole } of modules) if (sharesRole !== undefined) this.warn(sharesRole);
  }

  /**
   * The role of the SQL of a module.
   * @returns undefined where its SQL runs as the user of the service
   * @throws where it has never been enabled, or its data was deleted: it has neither tables nor a role
   */
  async of(module: InstalledModule): Promise<StatementRole | undefined> {
    if (!module.candidate.foreign) return undefined;
    return await (module.role ??= asService(() => outside(() => this.ensure(module))));
  }

  /** Makes the role of a module, with rights to the tables that it has now; called after its migrations, on each node. */
  async renew(module: InstalledModule): Promise<void> {
    if (!module.candidate.foreign) return;
    module.role = this.ensure(module);
    module.activeRole = await module.role;
  }

  /** Drops the role of a module whose tables were dropped. */
  async drop(uow: UnitOfWork, module: InstalledModule): Promise<void> {
    const { id, candidate } = module;
    if (!candidate.foreign) return;
    module.role = undefined;
    module.activeRole = undefined;
    const reason = await dropRole(uow, await roleName(uow, id), READABLE);
    if (reason !== undefined)
      this.log.warn({ module: id, reason }, 'the database role of the module could not be dropped');
  }

  private async ensure(module: InstalledModule): Promise<StatementRole | undefined> {
    const { id } = module;
    try {
      const name = await roleName(this.db, id);
      const rights = await rightsOf(this.db, id);
      if (!(await isRoleReady(this.db, name, rights)))
        await this.transactions.run(systemContext('modules'), async (uow) => {
          // While the row is locked, no other node deletes the data of the module with its role.
          if (!(await isMigrated(uow, id)))
            throw new Error(`${id} has no data: it was never enabled, or its data was deleted`);
          await makeRole(uow, name, rights);
        });
      module.sharesRole = undefined;
      return {
        name,
        refused: ({ message }) =>
          this.log.error({ module: id, role: name, reason: message }, 'the database role of the module lacks a right'),
      };
    } catch (error) {
      if (!(error instanceof RoleRefused)) {
        // The next statement tries again.
        module.role = undefined;
        throw error;
      }
      module.sharesRole = (await mayCreateRoles(this.db))
        ? `No database role could be made for it: ${error.message}.`
        : MAY_NOT;
      this.warn(module.sharesRole);
      return undefined;
    }
  }

  private warn(reason: string): void {
    if (this.warned.has(reason)) return;
    this.warned.add(reason);
    this.log.warn(
      { reason },
      'the SQL of modules that are not part of Lintel runs as the user of the service, with all its rights: no database role can be made for them',
    );
  }
}
