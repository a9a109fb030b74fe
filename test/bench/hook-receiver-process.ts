/** A receiver of webhooks in a process of its own, so that receiving affects the service only by processor time. See `Helper`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Command {
  /** Milliseconds until each answer from now on; counts begin again. */
  begin?: { delayMs: number };
}

export interface Reply {
  port: number;
  /** Number of different events that arrived. */
  events: number;
  requests: number;
  connections: number;
  /** Requests for an event that precedes another one of its subject that arrived before. */
  disordered: number;
}

let delayMs = 0;
let requests = 0;
let connections = 0;
let disordered = 0;
let seen = new Set<string>();
let last = new Map<string, number>();

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.once('end', () => {
    const { id, subject } = JSON.parse(Buffer.concat(parts).toString()) as { id: string; subject: string };
    requests++;
    seen.add(id);
    if ((last.get(subject) ?? 0) > Number(id)) disordered++;
    last.set(subject, Number(id));
    if (delayMs === 0) response.writeHead(204).end();
    else setTimeout(() => response.writeHead(204).end(), delayMs);
  });
});
server.on('connection', () => connections++);
server.listen(0, '127.0.0.1');
const listening = once(server, 'listening');

async function execute({ begin }: Command): Promise<Reply> {
  await listening;
  if (begin) {
    delayMs = begin.delayMs;
    [requests, connections, disordered] = [0, 0, 0];
    seen = new Set();
    last = new Map();
  }
  const { port } = server.address() as AddressInfo;
  return { port, events: seen.size, requests, connections, disordered };
}

process.on('message', (command) => void execute(command as Command).then((reply) => process.send!(reply)));
process.once('disconnect', () => process.exit());
