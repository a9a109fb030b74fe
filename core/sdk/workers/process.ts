/**
 * The process in which orders of `WorkerQueue` run, one after another. The shell that has started it ends it.
 */
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { serialize } from 'node:v8';
import { setExtraFonts } from '../drawing/extra-fonts.js';
import { workOf, type Work } from './answer.js';
import type { BeginMessage, LoadMessage, OrderMessage, Reply, ReplyMessage } from './messages.js';
import { reservedKb } from './reserved.js';

/** Bytes of an answer, which the service has to hold in memory. */
const MAX_ANSWER = 64 * 2 ** 20;

const works = new Map<string, Promise<Work>>();
let hasHooks = false;

/** A module that does not lie below the service gets the SDK of the service nevertheless, as in the service itself. */
function shareSdk(script: string): void {
  const sdk = import.meta.resolve('@lintel/sdk/drawing');
  if (hasHooks || sdkOf(script) === sdk) return;
  hasHooks = true;
  const entries = Object.fromEntries(
    ['@lintel/sdk', '@lintel/sdk/drawing'].map((name) => [name, import.meta.resolve(name)]),
  );
  register('./own-sdk.js', { parentURL: import.meta.url, data: entries });
}

function sdkOf(script: string): string | undefined {
  try {
    return pathToFileURL(createRequire(script).resolve('@lintel/sdk/drawing')).href;
  } catch {
    return undefined;
  }
}

async function load(script: string): Promise<Work> {
  shareSdk(script);
  const work = workOf(script);
  works.set(script, work);
  return await work;
}

function packed(reply: Reply): Uint8Array {
  const bytes = serialize(reply);
  if (bytes.length > MAX_ANSWER) throw new Error(`The answer has ${bytes.length} bytes.`);
  return bytes;
}

async function answer({ script, fonts, order }: OrderMessage): Promise<Uint8Array> {
  try {
    setExtraFonts(fonts);
    const work = await (works.get(script) ?? load(script));
    return packed({ answer: await work(order) });
  } catch (error) {
    try {
      return packed({ error });
    } catch {
      return packed({ error: new Error(String(error)) });
    }
  }
}

process.on('message', (message: OrderMessage | LoadMessage) => {
  if (!('order' in message)) {
    // Its first order tells what is wrong.
    load(message.script).catch(() => undefined);
    return;
  }
  void answer(message).then((reply) => {
    process.send!({ reply, rss: process.memoryUsage.rss() } satisfies ReplyMessage);
  });
});
// A terminal and a service manager send their signals to all processes of the service: orders are completed while it drains.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.send!({ pid: process.pid, reservedKb: reservedKb() } satisfies BeginMessage);
