import type { InitializeHook, ResolveHook } from 'node:module';
import type { MessagePort } from 'node:worker_threads';

/** Runs in the thread of Node's module hooks: https://nodejs.org/docs/latest-v20.x/api/module.html#customization-hooks */

export interface Retag {
  /** URL of a folder, with a slash at the end. */
  root: string;
  tag: string;
}

export interface HookData {
  port: MessagePort;
  entries: Readonly<Record<string, string>>;
}

const KEY = 'lintel';
const tags = new Map<string, string>();

const tagOf = (url: string | undefined): string | null =>
  url?.startsWith('file:') ? new URL(url).searchParams.get(KEY) : null;

/** The entry points of the SDK of this service, by the name under which modules import them. */
let sdk: Readonly<Record<string, string>> = {};

export const initialize: InitializeHook<HookData> = ({ port, entries }) => {
  sdk = entries;
  port.on('message', ({ root, tag }: Retag) => {
    tags.set(root, tag);
    port.postMessage(tag);
  });
};

/**
 * Wherever a module lies, it gets the SDK of the service that runs it. A file of a tagged folder is a separate module per tag; its
 * imports get the tag of the importing file.
 */
export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const entry = sdk[specifier];
  if (entry !== undefined) return { url: entry, format: 'module', shortCircuit: true };
  const found = await nextResolve(specifier, context);
  if (!found.url.startsWith('file:') || tagOf(found.url) !== null) return found;
  const root = [...tags.keys()].find(
    (folder) => found.url.startsWith(folder) && !found.url.slice(folder.length).includes('node_modules/'),
  );
  if (root === undefined) return found;
  const parent = context.parentURL;
  const tag = parent?.startsWith(root) ? tagOf(parent) : tags.get(root)!;
  return tag === null ? found : { ...found, url: `${found.url}?${KEY}=${tag}` };
};
