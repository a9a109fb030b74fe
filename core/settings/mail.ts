import { connect, type Socket } from 'node:net';
import { Problem } from '../foundation/errors.js';
import type { Outbound } from '../foundation/outbound/index.js';
import type { SmtpValues } from './smtp-schemas.js';
import { ConnectionTestFailure } from './connection-test.js';

export interface Mail {
  /** The bare address, without a display name. */
  to: string;
  subject: string;
  text: string;
  /** The same content as HTML. */
  html?: string;
  /** Reused when a mail is sent again, so that the receiver can detect the duplicate; generated when absent. */
  messageId?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface MailServer {
  values: SmtpValues & { host: string; from_address: string };
  password: string | undefined;
  /** Used where the settings have no sender name. */
  fromName: string;
}

/** An error of nodemailer; `response` is the server's reply line. */
interface MailError extends Error {
  code?: string;
  response?: string;
}

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'refuses user and password',
  ENOAUTH: 'refuses user and password',
  ETLS: 'offers no TLS that can be trusted',
  EENVELOPE: 'refuses sender or recipient',
  EMESSAGE: 'refuses the mail',
  ETIMEDOUT: 'did not answer in time',
  ECONNREFUSED: 'refuses the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  EPROTOCOL: 'does not speak SMTP',
};

/**
 * Sends one mail over a new connection, only to addresses that the service may connect to.
 * @param ms timeout for the whole operation
 * @returns the response of the server that accepted it
 * @throws outbound_refused, outbound_failed; ConnectionTestFailure with the server's reason
 */
export async function sendMail(
  outbound: Outbound,
  { values, password, fromName }: MailServer,
  mail: Mail,
  ms: number,
): Promise<string> {
  const { host, port, security, user } = values;
  const end = new AbortController();
  const { signal } = end;
  const timer = setTimeout(() => end.abort('the timeout expired'), ms);
  let socket: Socket | undefined;
  try {
    // Most nodes never send mail: it is loaded by the first one.
    const { createTransport } = await import('nodemailer');
    const [address] = await outbound.addresses(host, port, signal);
    const connection = (socket = connect({ host: address!.address, port, signal }));
    await opened(connection);
    const transport = createTransport({
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(user !== null && { auth: { user, pass: password ?? '' } }),
      disableFileAccess: true,
      disableUrlAccess: true,
      greetingTimeout: ms,
      socketTimeout: ms,
      getSocket: (_options, done) => done(null, { connection }),
    });
    const { to, ...content } = mail;
    const sent = await Promise.race([
      transport.sendMail({
        ...content,
        from: { name: values.from_name ?? fromName, address: values.from_address },
        to: { name: '', address: to },
      }),
      over(signal),
    ]);
    return sent.response;
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { code, response, message } = error as MailError;
    const reason = signal.aborted
      ? REASONS['ETIMEDOUT']
      : (REASONS[code ?? ''] ??
        (/certificate|self-signed|altnames/i.test(message) ? REASONS['ETLS'] : 'closed the connection'));
    throw new ConnectionTestFailure(`${host}:${port} ${reason}${response === undefined ? '' : `: ${response}`}.`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    socket?.destroy();
  }
}

async function opened(socket: Socket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    // Not `once`: the connection may fail again after the mail was sent.
    socket.on('error', reject);
  });
}

/** An overall timeout is needed, because a server that sends one character at a time stays within every other limit. */
async function over(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(String(signal.reason))));
  });
}
