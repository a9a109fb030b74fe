/** Many connections that read a stream with as little work as possible. Started by `Receivers`. */
import { connect, type Socket } from 'node:net';

export interface Command {
  open?: { port: number; requests: readonly string[]; reads: boolean };
  expect?: string;
  wait?: true;
  count?: true;
}

export interface Arrivals {
  /** Arrival of the text at each receiver, in ms of `process.hrtime`, which all processes share. */
  at: number[];
  /** The bytes of the first receiver, as Latin-1. */
  text: string;
}

export interface Reply {
  error?: string;
  arrivals?: Arrivals;
  ended?: number;
}

/** Connections opened at a time: fewer than the backlog of a listener. */
const AT_ONCE = 200;
/** The expected text is at the end of a message: only so many bytes of a chunk are searched. */
const TAIL = 512;
const PATIENCE_MS = 60_000;

const now = (): number => Number(process.hrtime.bigint()) / 1e6;
/** All sockets read into this buffer, because no bytes are kept. */
const buffer = Buffer.alloc(64 * 1024);

const sockets: Socket[] = [];
let ended = 0;
let expected = '';
let at: (number | undefined)[] = [];
let missing = 0;
let text: string[] = [];
let complete = (): void => undefined;
let allArrived: Promise<void> = Promise.resolve();

function expect(marker: string): void {
  expected = marker;
  at = [];
  missing = sockets.length;
  text = [];
  allArrived = new Promise((resolve) => {
    complete = resolve;
  });
}

/** Reads one connection. @returns a function to be called with the length of each chunk */
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
  await Promise.race([allArrived, late]).finally(() => clearTimeout(timer));
  return { at: at.map((time) => time ?? Number.NaN), text: text.join('') };
}

async function execute(command: Command): Promise<Reply> {
  if (command.open) await open(command.open);
  if (command.expect !== undefined) expect(command.expect);
  return { ...(command.wait && { arrivals: await wait() }), ...(command.count && { ended }) };
}

process.on('message', (command) => {
  execute(command as Command).then(
    (reply) => process.send!(reply),
    (error: unknown) =>
      process.send!({ error: error instanceof Error ? error.message : String(error) } satisfies Reply),
  );
});
process.once('disconnect', () => process.exit());
