import type { RequestContext } from '@lintel/sdk';
import type { Config } from '../../../config/schema.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../foundation/errors.js';
import { addPackage, readPackages } from '../repository.js';
import { discover, isInstalled, unnamedPackages, type Candidate } from './discover.js';

/** The packages that are loaded as modules: those that the environment names, and those installed while the service runs. */
export class Packages {
  /** Packages that declare a module, and were not loaded by the last `discover`. */
  ignored: { package: string; reason: string }[] = [];
  /** What the last `discover` returned. */
  found: readonly Candidate[] = [];

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly config: Config,
  ) {}

  /** All possible modules. */
  async discover(): Promise<readonly Candidate[]> {
    const { pluginsDir, modules, safeMode } = this.config;
    const added = safeMode ? [] : (await readPackages(this.db)).filter((name) => !modules.includes(name));
    const there = added.filter((name) => isInstalled(name, pluginsDir));
    this.ignored = [
      ...added
        .filter((name) => !there.includes(name))
        .map((name) => ({ package: name, reason: 'is not installed on this node any more' })),
      ...(await unnamedPackages(pluginsDir, [...modules, ...added])).map((name) => ({
        package: name,
        reason: 'is neither named in LINTEL_MODULES nor was installed by POST /settings/modules/install',
      })),
    ];
    return (this.found = await discover(pluginsDir, [...modules, ...there]));
  }

  /**
   * Adds a package to those that every node loads.
   * @throws invalid_state where the environment forbids it; a 422 where the package is not installed
   */
  async add(ctx: RequestContext, name: string): Promise<void> {
    const { modulesInstall, safeMode, pluginsDir } = this.config;
    if (!modulesInstall || safeMode)
      throw problem('invalid_state', {
        detail: safeMode
          ? 'In safe mode only the modules of Lintel are loaded.'
          : 'LINTEL_MODULES_INSTALL forbids installing packages as modules.',
        state: 'forbidden',
      });
    if (!isInstalled(name, pluginsDir))
      throw invalid({ field: '/package', reason: 'is not installed in a folder where modules are found' });
    await this.transactions.run(ctx, async (uow) => {
      if (!(await addPackage(uow, name))) return;
      uow.emit({ type: 'module.package_added', subject: { kind: 'module', id: name, name }, data: { package: name } });
    });
  }
}
