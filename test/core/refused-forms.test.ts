import { connect } from 'node:net';
import t from 'tap';
import { registerAdmin, testApp, type Session } from '../support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);

const BOUNDARY = 'refused-form';
const file = (field: string, bytes: number): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n`,
    ),
    Buffer.alloc(bytes, 'a'),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);

/** Sends a complete form and then a second request on the same connection. @returns the statuses of both */
async function statuses({ token }: Session, path: string, type: string, body: Buffer): Promise<number[]> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n`;
  // Answers are read only after everything is sent; if the connection were reset before, there would be none.
  socket.pause();
  socket.write(`${head(`POST ${path}`)}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(body, () => resolve());
  });
  socket.write(`${head('GET /api/v1/auth/me')}Connection: close\r\n\r\n`);
  const text = await new Promise<string>((resolve, reject) => {
    let all = '';
    socket
      .on('error', reject)
      .on('data', (part: Buffer) => {
        all += part.toString('latin1');
      })
      .on('close', () => resolve(all))
      .resume();
  });
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}

t.test('a client whose form is refused receives the response, and can reuse the connection', async (t) => {
  const form = `multipart/form-data; boundary=${BOUNDARY}`;
  t.strictSame(
    await statuses(admin, '/api/v1/imports', form, file('other', 20_000_000)),
    [422, 200],
    'an unknown field before the file',
  );
  t.strictSame(await statuses(admin, '/api/v1/adr/import', form, file('other', 900_000)), [422, 200], 'in a module');
  t.strictSame(
    await statuses(admin, '/api/v1/imports', 'application/zip', Buffer.alloc(20_000_000)),
    [415, 200],
    'an unsupported type',
  );
  t.strictSame(
    await statuses(admin, '/api/v1/imports', form, file('other', 0).subarray(0, 100)),
    [400, 200],
    'a form that stops',
  );
});
