import { SDK_VERSION, type ModuleManifest } from '@lintel/sdk';
import { SDK_INSTANCE, sdkOf } from '@lintel/sdk/host';
import { pathToFileURL } from 'node:url';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { BuiltIns } from './built-ins.js';
import type { Candidate } from './discover.js';
import { ModuleFault, reasonOf, within } from './fault.js';
import { manifestFaults } from './manifest.js';

/** Milliseconds that the import of a foreign module may take. */
const IMPORT_MS = 5_000;
/** Of the modules of Lintel, which are imported at once, with all their libraries: on a busy machine this takes seconds. */
const OWN_IMPORT_MS = 60_000;

/** The result of loading a candidate: a manifest, a fault, or both where the manifest was readable. */
export interface Loaded {
  candidate: Candidate;
  manifest?: ModuleManifest;
  fault?: ModuleFault;
}

let importing: Promise<unknown> = Promise.resolve();

/** Imports foreign candidates one after the other, so that a changed built-in object is traced to the one that changed it. */
async function inTurn<T>(candidate: Candidate, work: () => Promise<T>): Promise<T> {
  if (!candidate.foreign) return await work();
  const turn = importing.then(async () => {
    const before = new BuiltIns();
    try {
      return await work();
    } finally {
      const changed = before.restore();
      // Thrown instead of an error of the import, which it may have caused.
      if (changed.length > 0) throw new Error(`it changes built-in objects: ${changed.slice(0, 5).join(', ')}`);
    }
  });
  importing = turn.catch(() => undefined);
  return await turn;
}

/** Imports a candidate and checks its manifest. Never rejects. */
export async function load(candidate: Candidate): Promise<Loaded> {
  if (candidate.fault) return { candidate, fault: candidate.fault };
  let exported: unknown;
  try {
    const namespace = (await inTurn(candidate, () =>
      within(
        candidate.foreign ? IMPORT_MS : OWN_IMPORT_MS,
        'its import',
        () => import(pathToFileURL(candidate.entry).href),
      ),
    )) as { default?: unknown };
    exported = namespace.default;
  } catch (error) {
    return { candidate, fault: new ModuleFault('broken', `its import fails: ${reasonOf(error)}`, error) };
  }
  const sdk = sdkOf(exported);
  if (!sdk)
    return { candidate, fault: new ModuleFault('no_manifest', 'its default export was not made by defineModule') };
  if (sdk !== SDK_INSTANCE) {
    return {
      candidate,
      fault: new ModuleFault(
        'invalid_manifest',
        `${candidate.name} brings a copy of @lintel/sdk (${sdk.version}, ${sdk.url}): it must be a peer dependency`,
      ),
    };
  }
  return check(candidate, exported as ModuleManifest);
}

function check(candidate: Candidate, manifest: ModuleManifest): Loaded {
  // The SDK range is checked first, because a module for a later SDK may declare properties unknown to this one.
  if (validRange(manifest.host) && !satisfies(SDK_VERSION, manifest.host, { includePrerelease: true })) {
    return {
      candidate,
      fault: new ModuleFault('incompatible', `needs @lintel/sdk ${manifest.host}, this is ${SDK_VERSION}`),
    };
  }
  // A test checks the manifests of Lintel: compiling their schemas takes a notable part of the start.
  const faults = candidate.foreign ? manifestFaults(manifest) : [];
  if (!candidate.external && manifest.id !== candidate.name)
    faults.push(`/id must be the name of its folder, ${candidate.name}`);
  if (candidate.version !== undefined && candidate.version !== manifest.version)
    faults.push(`/version is ${manifest.version}, and that of its package.json ${candidate.version}`);
  if (faults.length > 0) return { candidate, fault: new ModuleFault('invalid_manifest', faults.join('; ')) };
  return { candidate, manifest };
}
