import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { HookData, Retag } from './reload-hooks.js';

let port: MessagePort | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Makes later imports from a folder load the files again: Node.js caches every module by its URL for the lifetime of
 * the process. Modules already loaded remain in memory, so each update costs the size of the module's code. CommonJS
 * files are not affected.
 * @param folder path of a module's folder
 * @param tag a tag not used for this folder before
 * @throws where the folder does not exist
 */
export async function renew(folder: string, tag: string): Promise<void> {
  const root = `${pathToFileURL(realpathSync(folder)).href}/`;
  const mine = last.then(async () => {
    const channel = withOwnSdk();
    channel.postMessage({ root, tag } satisfies Retag);
    await once(channel, 'message');
  });
  last = mine.catch(() => undefined);
  await mine;
}

const ENTRIES = ['@lintel/sdk', '@lintel/sdk/drawing', '@lintel/sdk/host', '@lintel/sdk/testing'];

/** Makes modules that are imported from now on import the SDK of this service. @returns the port of the hooks */
export function withOwnSdk(): MessagePort {
  if (port) return port;
  const { port1, port2 } = new MessageChannel();
  const entries = Object.fromEntries(ENTRIES.map((name) => [name, import.meta.resolve(name)]));
  const data: HookData = { port: port2, entries };
  register('./reload-hooks.js', { parentURL: import.meta.url, data, transferList: [port2] });
  // `once` keeps the event loop alive while an answer is pending.
  port1.unref();
  return (port = port1);
}
