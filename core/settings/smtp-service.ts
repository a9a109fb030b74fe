import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../foundation/db/database.js';
import type { Transactions } from '../foundation/db/unit-of-work.js';
import type { Outbound } from '../foundation/outbound/index.js';
import type { Secrets } from '../foundation/secrets/index.js';
import { sendMail, type Mail, type MailServer } from './mail.js';
import { SettingsSection, type SectionSpec, type SectionView } from './section-service.js';
import type { ConnectionTestView } from './section-schemas.js';
import type { SettingsService } from './service.js';
import type { SmtpPatch, SmtpValues } from './smtp-schemas.js';
import { ConnectionTestFailure, TEST_TIMEOUT_MS, tryOut } from './connection-test.js';

const SPEC: SectionSpec<SmtpValues, 'password'> = {
  key: 'smtp',
  name: 'Mail',
  secret: 'password',
  defaults: { host: null, port: 587, security: 'starttls', user: null, from_address: null, from_name: null },
  check: ({ host, from_address }) =>
    host !== null && from_address === null ? [{ field: '/from_address', reason: 'is required if a host is set' }] : [],
  changesDestination: (before, next) =>
    next.host !== null && (next.host !== before.host || (next.security === 'none' && before.security !== 'none')),
};

/** The mail server of the workspace. */
export class SmtpSettings {
  private readonly section: SettingsSection<SmtpValues, 'password'>;

  constructor(
    db: Database,
    transactions: Transactions,
    secrets: Secrets,
    private readonly outbound: Outbound,
    private readonly settings: SettingsService,
  ) {
    this.section = new SettingsSection(db, transactions, secrets, SPEC);
  }

  async read(): Promise<SectionView<SmtpValues, 'password'>> {
    return await this.section.read();
  }

  /** @throws precondition_failed, validation_failed */
  async update(ctx: RequestContext, patch: SmtpPatch): Promise<void> {
    await this.section.update(ctx, patch);
  }

  /**
   * Sends a mail with the current settings.
   * @param ms timeout for the whole operation
   * @returns the server's response
   * @throws outbound_refused, outbound_failed, ConnectionTestFailure
   */
  async send(mail: Mail, ms: number): Promise<string> {
    const { values, secret } = await this.section.use();
    return await sendMail(this.outbound, this.serverOf(values, secret), mail, ms);
  }

  /** Sends a mail to the caller and reports the result. */
  async test(ctx: RequestContext): Promise<ConnectionTestView> {
    const { values, secret } = await this.section.use();
    const to = ctx.actor!.email;
    const { app_title: title } = this.settings.current;
    const mail = {
      to,
      subject: `${title}: test of the mail settings`,
      text: `The mail settings of ${title} work: this mail was sent with them.\n`,
    };
    return await tryOut(async () => {
      const answer = await sendMail(this.outbound, this.serverOf(values, secret), mail, TEST_TIMEOUT_MS);
      return `The mail to ${to} was accepted: ${answer}`;
    }, secret);
  }

  private serverOf(values: SmtpValues, password: string | undefined): MailServer {
    const { host, from_address } = values;
    if (host === null || from_address === null) throw new ConnectionTestFailure('No mail server is set.');
    return { values: { ...values, host, from_address }, password, fromName: this.settings.current.app_title };
  }
}
