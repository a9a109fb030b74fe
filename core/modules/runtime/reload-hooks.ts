import type { InitializeHook, ResolveHook } from 'node:module';
import type { MessagePort } from 'node:worker_threads';

/** Runs in the thread of Node's module hooks: https://nodejs.org/docs/latest-v20.x/api/module.html#customization-hooks */

export interface Retag {
  /** URL of a folder, with a slash at the end. */
  root: string;
  tag: string;
}

const KEY = 'lintel';
const tags = new Map<string, string>();

const tagOf = (url: string | undefined): string | null =>
  url?.startsWith('file:') ? new URL(url).searchParams.get(KEY) : null;

export const initialize: InitializeHook<{ port: MessagePort }> = ({ port }) => {
  port.on('message', ({ root, tag }: Retag) => {
    tags.set(root, tag);
    port.postMessage(tag);
  });
};

/** A file of a tagged folder is a separate module per tag; its imports get the tag of the importing file. */
export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
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
