import type { RescanView } from '../admin/schemas.js';
import type { Candidate } from '../install/discover.js';
import { ModuleFault, reasonOf } from '../install/fault.js';
import { load, type Loaded } from '../install/load.js';
import type { InstalledModule } from '../installed.js';
import { renew, withOwnSdk } from './reload.js';

/** Modules before a scan of the module files, and those that it found. */
export interface Scanned {
  before: readonly InstalledModule[];
  /** Previous modules that had no fault when the scan began. */
  serving: readonly InstalledModule[];
  /** Previous modules whose files are gone. */
  gone: readonly InstalledModule[];
  /** New modules and updates, including faulty ones. */
  arrived: readonly InstalledModule[];
}

/** Whether two candidates have the same location, so that one is a version of the other. */
export const same = (a: Candidate, b: Candidate): boolean =>
  a.name === b.name && a.external === b.external && a.folder === b.folder;

/** Compares the modules with the candidates a scan has found. */
export function compare(
  before: readonly InstalledModule[],
  seen: readonly Candidate[],
): { gone: InstalledModule[]; fresh: Candidate[] } {
  const isServed = (candidate: Candidate): boolean =>
    before.some((m) => same(m.candidate, candidate) && m.candidate.fingerprint === candidate.fingerprint && !m.fault);
  return {
    gone: before.filter((m) => !seen.some((candidate) => same(m.candidate, candidate))),
    fresh: seen.filter((candidate) => !isServed(candidate)),
  };
}

/** Loads a candidate. @param scan 0 at startup; in later scans previously imported files are imported again */
export async function loadIn(scan: number, candidate: Candidate): Promise<Loaded> {
  if (scan > 0 && candidate.folder !== '') {
    try {
      await renew(candidate.folder, `${candidate.fingerprint}-${scan}`);
    } catch (error) {
      // A folder removed during the scan is handled by the next scan.
      const fault = new ModuleFault('broken', `its folder cannot be read: ${reasonOf(error)}`, error);
      return await load({ ...candidate, fault });
    }
  }
  if (candidate.foreign) withOwnSdk();
  return await load(candidate);
}

/** The answer to a scan. @param admitted modules that are served from now on */
export function viewScan(
  { before, gone, arrived }: Scanned,
  admitted: readonly InstalledModule[],
): Omit<RescanView, 'ignored'> {
  const isUpdate = (module: InstalledModule) => before.some((b) => b.id === module.id);
  return {
    loaded: admitted.filter((m) => !isUpdate(m)).map(({ id }) => id),
    updated: admitted.filter(isUpdate).map(({ id }) => id),
    removed: gone.map(({ id }) => id).filter((id) => !arrived.some((m) => m.id === id)),
    failed: arrived.flatMap(({ id, fault, candidate }) =>
      fault ? [{ id, reason_code: fault.code, reason: fault.describe(candidate.folder) }] : [],
    ),
  };
}
