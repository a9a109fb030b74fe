import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Retag } from './reload-hooks.js';

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
    const channel = port ?? registerHooks();
    channel.postMessage({ root, tag } satisfies Retag);
    await once(channel, 'message');
  });
  last = mine.catch(() => undefined);
  await mine;
}

function registerHooks(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  register('./reload-hooks.js', { parentURL: import.meta.url, data: { port: port2 }, transferList: [port2] });
  // `once` keeps the event loop alive while an answer is pending.
  port1.unref();
  return (port = port1);
}
