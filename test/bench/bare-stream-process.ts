/** The baseline of the fan-out: a plain Node.js server that holds responses open and writes the same bytes to all. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const open = new Set<ServerResponse>();
let bytes = Buffer.alloc(0);

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
    response.flushHeaders();
    open.add(response);
    response.once('close', () => open.delete(response));
    return;
  }
  const parts: Buffer[] = [];
  request
    .on('data', (part: Buffer) => parts.push(part))
    .once('end', () => {
      // A POST with a body stores the bytes; a POST without one sends the stored bytes to all receivers.
      if (parts.length > 0) bytes = Buffer.concat(parts);
      else for (const receiver of open) receiver.write(bytes);
      response.end();
    });
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('message', () => process.send!((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
