/** Many connections that take a stream, as cheaply as can be. Started by `Receivers`. */
import { connect, type Socket } from 'node:net';

export interface Command {
  open?: { port: number; requests: readonly string[]; reads: boolean };
  expect?: string;
  wait?: true;
  count?: true;
}

export interface Arrivals {
  /** Milliseconds on the clock all processes share. */
  at: number[];
  /** What the first receiver got, as Latin-1. */
  text: string;
}

export interface Reply {
  error?: string;
  arrivals?: Arrivals;
  ended?: number;
}

/** Connections made at a time: fewer than a listener queues. */
const AT_ONCE = 200;
/** What is waited for stands at the end of a message: that much of it is looked at. */
const TAIL = 512;
const PATIENCE_MS = 60_000;

const now = (): number => Number(process.hrtime.bigint()) / 1e6;
/** All that is read lands here: nothing is kept. */
const buffer = Buffer.alloc(64 * 1024);

const sockets: Socket[] = [];
let ended = 0;
let expected = '';
let at: (number | undefined)[] = [];
let missing = 0;
let text: string[] = [];
let complete = (): void => undefined;
let allHere: Promise<void> = Promise.resolve();

function expect(marker: string): void {
  expected = marker;
  at = [];
  missing = sockets.length;
  text = [];
  allHere = new Promise((resolve) => {
    complete = resolve;
  });
}

/** Reads one connection. @returns what is called with the length of what came */
function reader(index: number, opened: () => void): (length: number) => boolean {
  let isOpen = false;
  let rest = '';
  return (length) => {
    const tail = rest + buffer.toString('latin1', Math.max(0, length - TAIL), length);
    rest = tail.slice(-expected.length - 1);
    if (!isOpen && tail.includes('\r\n\r\n')) {
      isOpen = true;
      opened();
    }
    if (missing > 0 && at[index] === undefined) {
      if (index === 0) text.push(buffer.toString('latin1', 0, length));
      if (tail.includes(expected)) {
        at[index] = now();
        rest = '';
        if (--missing === 0) complete();
      }
    }
    return true;
  };
}

async function openOne(port: number, request: string, reads: boolean): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onread = { buffer, callback: reader(sockets.length, resolve) };
    const socket = connect({ port, host: '127.0.0.1', ...(reads && { onread }) }, () => {
      socket.write(request);
      if (!reads) resolve();
    });
    if (!reads) socket.pause();
    socket.on('error', reject).once('close', () => {
      ended++;
      reject(new Error('a connection was ended'));
    });
    sockets.push(socket);
  });
}

async function open({ port, requests, reads }: NonNullable<Command['open']>): Promise<void> {
  const queue = [...requests];
  const worker = async (): Promise<void> => {
    for (let request = queue.pop(); request !== undefined; request = queue.pop()) await openOne(port, request, reads);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function wait(): Promise<Arrivals> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${missing} of ${sockets.length} still wait, ${ended} connections were ended`)),
      PATIENCE_MS,
    );
  });
  await Promise.race([allHere, late]).finally(() => clearTimeout(timer));
  return { at: at.map((time) => time ?? Number.NaN), text: text.join('') };
}

async function obey(command: Command): Promise<Reply> {
  if (command.open) await open(command.open);
  if (command.expect !== undefined) expect(command.expect);
  return { ...(command.wait && { arrivals: await wait() }), ...(command.count && { ended }) };
}

process.on('message', (command) => {
  obey(command as Command).then(
    (reply) => process.send!(reply),
    (error: unknown) =>
      process.send!({ error: error instanceof Error ? error.message : String(error) } satisfies Reply),
  );
});
process.once('disconnect', () => process.exit());
