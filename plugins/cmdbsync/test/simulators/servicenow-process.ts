/**
 * The simulated instance as a process of its own, for tests that end the service or the test: `node servicenow-process.js [port] [servers]`.
 * It writes two addresses to the standard output: of the instance (`origin`), and of its state (`control`), which GET returns; PUT also switches
 * faults on, with `on` as the text of a regular expression. It ends with its standard input.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceNowServer, type Faults } from './servicenow.js';

const [port = '0', servers = '0'] = process.argv.slice(2);
const instance = await ServiceNowServer.start(Number(port));
instance.tables.fill(Number(servers));

const control = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    if (request.method === 'PUT') {
      const { on, ...faults } = JSON.parse(text) as Omit<Faults, 'on'> & { on?: string };
      instance.fail({ ...faults, ...(on !== undefined && { on: new RegExp(on) }) });
    }
    const state = {
      requests: instance.requests.length,
      inserts: Object.fromEntries(instance.api.inserts),
      tokens: instance.oauth.issued,
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(state));
  });
});
await once(control.listen(0, '127.0.0.1'), 'listening');
const address = control.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ origin: instance.origin, control: `http://127.0.0.1:${address.port}` })}\n`);
// Without the process that started it, it ends.
process.stdin.on('end', () => process.exit()).resume();
