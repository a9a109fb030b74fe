import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail received by the server. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Header fields by lower-case name, unfolded; a repeated field has both values in order. */
  headers: Map<string, string[]>;
  /** The decoded body, or its part in plain text. */
  text: string;
  /** The decoded part in HTML; empty if there is none. */
  html: string;
  raw: string;
}

export interface MailServer {
  port: number;
  /** Accepted mails, in order. */
  mails: ReceivedMail[];
  /** Number of received mails, including refused ones. */
  attempts: number;
  /** If set, mails are refused with this status and text, in which `{token}` is the token of the first link, or which is made of it. */
  refuse: { code: number; message: string | ((token: string) => string) } | undefined;
  /** Time in ms after which a received mail is acknowledged. */
  delayMs: number;
  close(): Promise<void>;
}

/** Decodes the encoded words of a header (RFC 2047). */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, encoding: string, content: string) =>
      (encoding.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64')
        : Buffer.from(quotedBytes(content.replaceAll('_', ' ')), 'latin1')
      ).toString('utf8'),
    );
}

const quotedBytes = (content: string): string =>
  content.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Header fields by lower-case name, and the body as it was sent. */
function split(raw: string): { headers: Map<string, string[]>; body: string } {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = new Map<string, string[]>();
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), decodeWords(line.slice(colon + 1).trim())]);
  }
  return { headers, body: rest.join('\r\n\r\n') };
}

/** The decoded text of a mail without parts, or of one part. */
function decoded({ headers, body }: ReturnType<typeof split>): string {
  const encoding = headers.get('content-transfer-encoding')?.[0]?.toLowerCase();
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? Buffer.from(quotedBytes(body.replace(/=\r\n/g, '')), 'latin1').toString('utf8')
        : body;
  return text.replaceAll('\r\n', '\n');
}

function parse(from: string, to: string[], raw: string): ReceivedMail {
  const whole = split(raw);
  const boundary = /^multipart\/alternative;.*boundary="([^"]+)"/.exec(
    whole.headers.get('content-type')?.[0] ?? '',
  )?.[1];
  const parts =
    boundary === undefined
      ? []
      : whole.body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => split(part.slice(2)));
  const of = (type: string): string => {
    const part = parts.find(({ headers }) => headers.get('content-type')?.[0]?.startsWith(type));
    return part ? decoded(part) : '';
  };
  return {
    from,
    to,
    headers: whole.headers,
    text: boundary === undefined ? decoded(whole) : of('text/plain'),
    html: of('text/html'),
    raw,
  };
}

/** A mail server on 127.0.0.1 with unencrypted SMTP, which stores received mails. */
export async function mailServer(): Promise<MailServer> {
  const state: Omit<MailServer, 'port' | 'close'> = { mails: [], attempts: 0, refuse: undefined, delayMs: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      readText(stream).then((raw) => {
        state.attempts++;
        const { mailFrom, rcptTo } = session.envelope;
        const received = parse(
          mailFrom === false ? '' : mailFrom.address,
          rcptTo.map(({ address }) => address),
          raw,
        );
        if (state.refuse) {
          const token = /#token=([\w-]+)/.exec(received.text)?.[1] ?? '';
          const { code, message } = state.refuse;
          const text = typeof message === 'string' ? message.replace('{token}', token) : message(token);
          return done(Object.assign(new Error(text), { responseCode: code }));
        }
        state.mails.push(received);
        if (state.delayMs === 0) done();
        else setTimeout(done, state.delayMs);
      }, done);
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(state, {
    port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  });
}
