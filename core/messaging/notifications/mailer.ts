import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Database } from '../../foundation/db/database.js';
import type { JobRun } from '../../foundation/jobs/index.js';
import { oneLine } from '../../foundation/text.js';
import type { Metamodel, MetamodelService } from '../../inventory/metamodel/index.js';
import type { RbacService } from '../../identity/rbac/index.js';
import type { SettingsService, SmtpSettings } from '../../settings/index.js';
import { channelsOf, type NotificationKinds } from './kinds.js';
import { MAIL_ATTEMPTS, queueMails } from './mail-queue.js';
import { claimMail, isMailLeft, settleMail, strandedReceivers, type MailRow } from './mail-repository.js';
import { recipientsOf } from './recipients.js';
import type { NotificationRow } from './repository.js';
import { titleOf } from './titles.js';
import type { Recipient } from './types.js';
import { visibleKeys } from './visibility.js';

/** Timeout for sending a mail. */
const SEND_MS = 30_000;
/** Maximum number of users for whom one clean-up queues mails. */
const SWEEP = 500;
/** Maximum number of lines per mail; further notifications are only in the list. */
const MOST_LINES = 50;

interface Batch {
  rows: MailRow[];
  recipient: Recipient | undefined;
}

/**
 * Mails due notifications, combined to one mail per user. If the node fails after the mail server accepted the mail and
 * before this was stored, the mail is sent again with the same Message-ID.
 */
export class Mailer {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly smtp: SmtpSettings,
    private readonly settings: SettingsService,
    private readonly metamodel: MetamodelService,
    private readonly rbac: RbacService,
    private readonly kinds: NotificationKinds,
  ) {}

  /** Sends the mail of one job. @returns the number of notifications in it @throws where the mail server rejects it */
  async mail(job: JobRun): Promise<{ mailed: number }> {
    const { user_id: userId } = job.payload as { user_id: string };
    const { rows, recipient } = await this.claim(job, userId);
    const ids = rows.map(({ id }) => id);
    if (rows.length === 0 || !recipient) return { mailed: 0 };
    const { from_address: from } = await this.smtp.read();
    const { subject, text } = mailText(rows, this.settings.current.app_title, this.kinds, this.metamodel.current);
    try {
      await this.smtp.send(
        {
          to: recipient.identity.actor.email,
          subject,
          text,
          messageId: `<notifications.${job.id}@${from?.split('@').at(-1) ?? 'localhost'}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        },
        SEND_MS,
      );
    } catch (error) {
      if (job.attempt >= MAIL_ATTEMPTS) await this.settle(job, userId, ids, 'failed');
      throw error;
    }
    await this.settle(job, userId, ids, 'sent');
    return { mailed: ids.length };
  }

  /** Queues mail jobs for notifications that a failed node left behind. @returns the number of users */
  async sweep(job: JobRun): Promise<number> {
    const users = await strandedReceivers(this.db, SWEEP);
    if (users.length > 0)
      await this.transactions.run(job.ctx, async (uow) => {
        await job.guard(uow);
        await queueMails(uow, users);
      });
    return users.length;
  }

  /** The notifications to be mailed by this job, by current preferences and permissions. */
  private async claim(job: JobRun, userId: string): Promise<Batch> {
    return await this.transactions.run(job.ctx, async (uow) => {
      await job.guard(uow);
      const claimed = await claimMail(uow, userId, job.id);
      const recipient = (await recipientsOf(uow, [userId], this.rbac)).get(userId);
      const rows = recipient ? this.pending(claimed, recipient) : [];
      const kept = new Set(rows);
      await settleMail(
        uow,
        claimed.filter((row) => !kept.has(row)).map(({ id }) => id),
        null,
      );
      // Notifications that arrived in the meantime found this job queued, and therefore have no job of their own.
      if (rows.length === 0) await this.queueRest(uow, userId);
      return { rows, recipient };
    });
  }

  private pending(
    rows: readonly MailRow[],
    { identity: { permissions }, preferences, takesMail }: Recipient,
  ): MailRow[] {
    if (!takesMail || !permissions.has('notifications.own')) return [];
    const visible = new Set(visibleKeys(this.kinds, this.metamodel.current, permissions));
    return rows.filter((row) => {
      const kind = this.kinds.get(row.kind);
      return (
        kind !== undefined && row.read_at === null && visible.has(row.visibility) && channelsOf(kind, preferences).email
      );
    });
  }

  private async settle(job: JobRun, userId: string, ids: readonly string[], state: 'sent' | 'failed'): Promise<void> {
    await this.transactions.run(job.ctx, async (uow) => {
      await job.guard(uow);
      await settleMail(uow, ids, state);
      await this.queueRest(uow, userId);
    });
  }

  /** Queues another mail job, if notifications became due while this job was running. */
  private async queueRest(uow: UnitOfWork, userId: string): Promise<void> {
    if (await isMailLeft(uow, userId)) await queueMails(uow, [userId]);
  }
}

/**
 * Subject and text of the mail for these notifications. Titles are one line each, so that a name in them cannot start a
 * header or another line.
 */
function mailText(
  rows: readonly NotificationRow[],
  workspace: string,
  kinds: NotificationKinds,
  metamodel: Metamodel,
): { subject: string; text: string } {
  const titles = rows.map((row) => titleOf(row, kinds, metamodel));
  const [first = ''] = titles;
  const subject = titles.length === 1 ? first : `${titles.length} notifications`;
  const more = titles.length > MOST_LINES ? [`… and ${titles.length - MOST_LINES} more.`] : [];
  const lines = titles.slice(0, MOST_LINES).map((title) => (titles.length === 1 ? title : `- ${title}`));
  return {
    subject,
    text: `${[...lines, ...more, '', `${oneLine(workspace)} sends this because of your notification preferences.`].join('\n')}\n`,
  };
}
