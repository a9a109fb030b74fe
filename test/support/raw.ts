import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/**
 * Sends text unchanged over a socket and reads until the server closes it, for requests that an HTTP client would correct or refuse.
 * @param text the whole request, with `Connection: close` unless the server closes the connection anyway
 * @param ms longest wait
 */
export async function sendRaw(origin: string, text: string | Buffer, ms = 5_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const received = await new Promise<Buffer>((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const timer = setTimeout(() => socket.destroy(new Error(`no end of the answer within ${ms} ms`)), ms);
    socket.on('data', (part) => parts.push(part));
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(parts));
    });
  });
  const [head = '', ...rest] = received.toString('latin1').split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = new Headers(
    fields.map(
      (field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1).trim()] as [string, string],
    ),
  );
  return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}

/** The text of a request without a body. */
export const requestText = (method: string, target: string, headers: Record<string, string> = {}): string =>
  `${method} ${target} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
