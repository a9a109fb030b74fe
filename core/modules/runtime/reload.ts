import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Retag } from './reload-hooks.js';

let port: MessagePort | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Makes what is imported from a folder from now on new, however often it was imported before: Node keeps every module
 * it has loaded, by its URL, for as long as the process lives. What was loaded already stays as it is, and takes its
 * memory: an update costs what the module's code weighs. CommonJS files are not reached.
 * @param folder path of a module's folder
 * @param tag not used for this folder before
 * @throws where the folder is gone
 */
export async function renew(folder: string, tag: string): Promise<void> {
  const root = `${pathToFileURL(realpathSync(folder)).href}/`;
  const mine = last.then(async () => {
    const channel = port ?? hooks();
    channel.postMessage({ root, tag } satisfies Retag);
    await once(channel, 'message');
  });
  last = mine.catch(() => undefined);
  await mine;
}

function hooks(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  register('./reload-hooks.js', { parentURL: import.meta.url, data: { port: port2 }, transferList: [port2] });
  // `once` refs it while an answer is due.
  port1.unref();
  return (port = port1);
}
