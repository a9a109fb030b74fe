import type { ModuleManifest, ModuleRoutes, ModuleServices } from '@lintel/sdk';
import type { FastifyRequest } from 'fastify';
import type { Activation } from './runtime/activation.js';
import type { Candidate } from './install/discover.js';
import type { ModuleFault } from './install/fault.js';
import type { Loaded } from './install/load.js';
import type { StoredModule } from './repository.js';
import type { StatementRole } from '../foundation/db/statement-role.js';
import { FaultCount } from './runtime/fault-count.js';
import { ModuleSettings } from './settings.js';

export type ModuleState = 'discovered' | 'enabled' | 'disabled' | 'failed' | 'incompatible';

export interface ModuleRoute {
  method: string;
  path: string;
  /** Whether no log-in is required. */
  is_public: boolean;
}

/** A module on this node: its manifest, its stored state, and its running parts. */
export class InstalledModule {
  readonly id: string;
  readonly external: boolean;
  readonly source: string;
  /** Where it was found, and the state of its files. */
  readonly candidate: Candidate;
  readonly manifest: ModuleManifest | undefined;
  readonly settings: ModuleSettings;
  fault: ModuleFault | undefined;
  /** The reason why an update found in the same location is not used. */
  update: ModuleFault | undefined;
  stored: StoredModule | undefined;
  routes: ModuleRoute[] = [];
  host!: ModuleServices;
  /** The result of the manifest's `services`, created once. */
  services: unknown;
  /** The routes of `routesDir` when the module was loaded. */
  folderRoutes: ModuleRoutes<unknown> | undefined;
  /** Functions that undo its declarations: visibility of its events, kinds of its notifications. */
  declared: (() => void)[] = [];
  /** The database role of its SQL, once it is needed; see `ModuleRoles`. */
  role: Promise<StatementRole | undefined> | undefined;
  /** The same, as it was made when the module was last activated on this node. */
  activeRole: StatementRole | undefined;
  /** Why its SQL runs as the user of the service, although it is not part of Lintel. */
  sharesRole: string | undefined;
  /** Why its migrations run as the user of the service, although it is not part of Lintel. */
  sharesMigrations: string | undefined;
  /** Whether its permissions are declared on this node. */
  hasPermissions = false;
  /** Whether its routes respond. */
  isOn = false;
  activation: Activation | undefined;
  /** Called with the settings before, after they have changed. */
  readonly onSettings = new Set<(before: Record<string, unknown>) => void>();
  /** Whether it was switched off on this node, and what it ran has been told to end. */
  isEnded = false;
  /** Aborted when it begins to be switched off on this node. */
  off = new AbortController();
  /** Its errors that nothing caught. */
  readonly faults = new FaultCount();
  /** Requests being handled. */
  readonly running = new Set<FastifyRequest>();
  /** Resolves after the last switch on or off; the next one waits for it. */
  switched: Promise<void> = Promise.resolve();
  private whenIdle: (() => void)[] = [];

  /** @param before id of the module previously found in the same location, used if this one has no readable manifest */
  constructor({ candidate, manifest, fault }: Loaded, before?: string) {
    this.candidate = candidate;
    this.id = manifest?.id ?? before ?? candidate.name;
    this.external = candidate.external;
    this.source = candidate.external ? candidate.name : 'plugins';
    this.manifest = manifest;
    this.fault = fault;
    this.settings = new ModuleSettings(manifest?.settings, this.id);
  }

  get requires(): readonly string[] {
    return this.manifest?.requires ?? [];
  }

  get state(): ModuleState {
    if (this.fault) return this.fault.code === 'incompatible' ? 'incompatible' : 'failed';
    if (this.stored?.enabled) return 'enabled';
    return this.stored?.migrations ? 'disabled' : 'discovered';
  }

  /** Whether exactly its migrations have been applied in this workspace, according to the stored row. */
  get isMigrated(): boolean {
    const done = this.stored?.migrations;
    const own = Object.keys(this.manifest?.migrations ?? {});
    return done != null && own.every((name) => done.includes(name)) && done.every((name) => own.includes(name));
  }

  /** Counts a request until `ended` is called with it. */
  began(request: FastifyRequest): void {
    this.running.add(request);
  }

  /** Resolves `idle` when it was the last request. */
  ended(request: FastifyRequest): void {
    if (!this.running.delete(request) || this.running.size > 0) return;
    for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  /** Resolves when no request is running, or after `ms` milliseconds. */
  async idle(ms: number): Promise<void> {
    if (this.running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.whenIdle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
