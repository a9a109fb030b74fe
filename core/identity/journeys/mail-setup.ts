import { problem } from '../../foundation/errors.js';
import type { RenderedMail } from '../mails/index.js';

/** The mail server, as the settings of the workspace define it. */
export interface MailServerSettings {
  read(): Promise<{ host: string | null; from_address: string | null }>;
  send(
    mail: RenderedMail & { to: string; messageId: string; headers: Readonly<Record<string, string>> },
    ms: number,
  ): Promise<string>;
}

/** Pages of the client of the service to which links of mails lead. */
export type LinkPage = 'accept-invitation' | 'reset-password' | 'confirm-email' | 'withdraw-email';

/** Whether mails with links can be sent, and what the links are. */
export class MailSetup {
  /** @param publicUrl address at which users reach the service, without a slash at the end */
  constructor(
    private readonly server: Pick<MailServerSettings, 'read'>,
    private readonly publicUrl: string | undefined,
  ) {}

  /** What is not set and needed for a mail with a link; empty where it can be sent. */
  async missing(): Promise<('PUBLIC_URL' | '/settings/smtp')[]> {
    const { host } = await this.server.read();
    return [
      ...(this.publicUrl === undefined ? (['PUBLIC_URL'] as const) : []),
      ...(host === null ? (['/settings/smtp'] as const) : []),
    ];
  }

  /** @throws 409 `mail_unavailable` where a mail with a link cannot be sent */
  async ensure(): Promise<void> {
    const missing = await this.missing();
    if (missing.length > 0) throw problem('mail_unavailable', { detail: `Not set: ${missing.join(', ')}.`, missing });
  }

  /**
   * The address of a link. The token is in the fragment, which browsers do not send: it is in no log of a server or proxy,
   * and in no Referer.
   * @throws when PUBLIC_URL is not set
   */
  link(page: LinkPage, token: string): string {
    if (this.publicUrl === undefined) throw new Error('PUBLIC_URL is not set: mails cannot have links');
    return `${this.publicUrl}/${page}#token=${token}`;
  }
}
