import type { ModuleManifest, ModuleRoutes, ModuleServices } from '@lintel/sdk';
import type { FastifyRequest } from 'fastify';
import type { Activation } from './runtime/activation.js';
import type { Candidate } from './install/discover.js';
import type { ModuleFault } from './install/fault.js';
import type { Loaded } from './install/load.js';
import type { StoredModule } from './repository.js';
import { ModuleSettings } from './admin/settings.js';

export type ModuleState = 'discovered' | 'enabled' | 'disabled' | 'failed' | 'incompatible';

export interface ModuleRoute {
  method: string;
  path: string;
}

/** A module as this node has it: what it declares, what is stored of it, and what of it is running. */
export class InstalledModule {
  readonly id: string;
  readonly external: boolean;
  readonly source: string;
  /** Where it was found, and in which state its files were. */
  readonly candidate: Candidate;
  readonly manifest: ModuleManifest | undefined;
  readonly settings: ModuleSettings;
  fault: ModuleFault | undefined;
  /** Why what was found in its place since does not serve instead. */
  update: ModuleFault | undefined;
  stored: StoredModule | undefined;
  routes: ModuleRoute[] = [];
  host!: ModuleServices;
  /** What the manifest's `services` made, once. */
  services: unknown;
  /** What `routesDir` held when the module was loaded. */
  folderRoutes: ModuleRoutes<unknown> | undefined;
  /** Takes back what was made known of it: permissions, visibility of its events. */
  declared: (() => void)[] = [];
  /** Whether its routes answer. */
  isOn = false;
  activation: Activation | undefined;
  /** Requests its handlers are working on. */
  readonly running = new Set<FastifyRequest>();
  /** The end of the last switch on or off; the next one waits for it. */
  switched: Promise<void> = Promise.resolve();
  private whenIdle: (() => void)[] = [];

  /** @param before the id of what was found in the same place before, for what does not say who it is */
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

  /** Whether all its migrations have run in this workspace, as far as the stored row tells. */
  get isMigrated(): boolean {
    const done = new Set(this.stored?.migrations);
    return (
      this.stored?.migrations != null && Object.keys(this.manifest?.migrations ?? {}).every((name) => done.has(name))
    );
  }

  began(request: FastifyRequest): void {
    this.running.add(request);
  }

  ended(request: FastifyRequest): void {
    if (!this.running.delete(request) || this.running.size > 0) return;
    for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  /** Resolves when no request runs any more, or after so many milliseconds. */
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
