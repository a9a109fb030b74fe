import { expectStatus, registerAdmin, sql, testApp, until, type Session, type TestApp } from './app.js';
import { mailServer, type MailServer, type ReceivedMail } from './mail.js';

export const PUBLIC_URL = 'https://ea.example.org/lintel';
const LINK = /https:\/\/ea\.example\.org\/lintel\/([a-z-]+)#token=([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/g;

export interface MailNode {
  node: TestApp;
  mail: MailServer;
  admin: Session;
  /** Mails to an address, in order of arrival. */
  to(email: string): ReceivedMail[];
  /** Waits for the next mail to an address beyond the first `after`. */
  next(email: string, after?: number): Promise<ReceivedMail>;
  /** Waits until every queued mail about accounts was sent, or is not to be sent. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A node with PUBLIC_URL and a real mail server. */
export async function mailNode(): Promise<MailNode> {
  const mail = await mailServer();
  const node = await testApp({
    config: { logLevel: 'silent', outboundAllow: ['127.0.0.1'], publicUrl: PUBLIC_URL },
  });
  const admin = await registerAdmin(node.origin);
  const smtp = { host: '127.0.0.1', port: mail.port, security: 'none', from_address: 'lintel@example.org' };
  expectStatus(await admin.api.patch('/settings/smtp', smtp), 200, 'the mail settings');
  const to = (email: string): ReceivedMail[] => mail.mails.filter((one) => one.to.includes(email));
  // Mails about accounts are found by polling, once in a second; a node that is notified of jobs looks at once.
  const look = (): void => node.app.services.notifier.notify('jobs');
  return {
    node,
    mail,
    admin,
    to,
    next: async (email, after = 0) => {
      look();
      return await until(() => to(email)[after]);
    },
    settled: async () => {
      look();
      await until(
        async () =>
          (await sql(node.database, "select from jobs where type = 'accounts.mail' and state in ('queued', 'running')"))
            .length === 0,
      );
    },
    close: async () => {
      await node.close();
      await mail.close();
    },
  };
}

/** The tokens of the links of a mail by page; the plain text and the HTML must have the same. */
export function linksOf({ text, html }: ReceivedMail): Record<string, string> {
  const read = (from: string): Record<string, string> =>
    Object.fromEntries([...from.matchAll(LINK)].map(([, page, token]) => [page!, token!]));
  const links = read(text);
  if (JSON.stringify(read(html)) !== JSON.stringify(links)) throw new Error(`other links in the HTML: ${html}`);
  return links;
}
