import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { JobRun, JobRunner } from '../../foundation/jobs/index.js';
import { agentFamily, KNOWN_DEVICE_DAYS } from '../auth/index.js';
import {
  ACCOUNT_MAIL_ATTEMPTS,
  ACCOUNT_MAIL_JOB,
  languageOf,
  renderMail,
  unlinked,
  type AccountMailPayload,
  type Letter,
} from '../mails/index.js';
import type { MailServerSettings } from './mail-setup.js';
import { readSignInMail } from './sign-in-repository.js';

/** Timeout for sending a mail. */
const SEND_MS = 30_000;
/** Delays after failed attempts: a mail server may be unavailable for hours. */
const RETRY_MS = [30_000, 120_000, 600_000, 3_600_000, 10_800_000];

/** A mail with the tokens of its links, which were made for this attempt to send it. */
export interface PreparedMail {
  to: string;
  /** BCP 47 tag of the receiver. */
  locale: string | null;
  letter: Letter;
  tokens: readonly string[];
}

/** Prepares the mail of an invitation, a reset or a change of an address; undefined where it has ended. */
type Prepare = (uow: UnitOfWork, id: string) => Promise<PreparedMail | undefined>;

interface WorkspaceSettings {
  app_title: string;
  locales: readonly string[];
}

/**
 * Sends mails about accounts. The tokens of a mail are made by the attempt that sends it, and exist only in its memory
 * and in the mail; the database has their hashes. If the node fails after the mail server accepted the mail and before
 * this was stored, the mail is sent again with the same Message-ID and other tokens, and those of both are valid.
 */
export class AccountMailSender {
  private readonly prepared: Readonly<Record<AccountMailPayload['mail'], Prepare>>;

  /** @param prepare by kind of mail */
  constructor(
    private readonly transactions: Transactions,
    private readonly server: MailServerSettings,
    private readonly settings: { readonly current: WorkspaceSettings },
    prepare: Omit<Readonly<Record<AccountMailPayload['mail'], Prepare>>, 'sign_in'>,
  ) {
    this.prepared = { ...prepare, sign_in: prepareSignIn };
  }

  /** Registers the job that sends mails. Must be called once, before the runner starts. */
  register(jobs: JobRunner): void {
    jobs.register(ACCOUNT_MAIL_JOB, {
      handler: (job) => this.send(job),
      maxAttempts: ACCOUNT_MAIL_ATTEMPTS,
      timeoutMs: 60_000,
      retryMs: (attempt) => RETRY_MS[attempt - 1] ?? RETRY_MS.at(-1)!,
    });
  }

  /** Sends the mail of one job. @returns the number of mails sent @throws where the mail server rejects it */
  private async send(job: JobRun): Promise<{ mailed: number }> {
    const { mail, id } = job.payload as AccountMailPayload;
    const prepared = await this.transactions.run(job.ctx, async (uow) => {
      await job.guard(uow);
      return await this.prepared[mail](uow, id);
    });
    if (!prepared) return { mailed: 0 };
    const { to, locale, letter, tokens } = prepared;
    const { app_title, locales } = this.settings.current;
    const rendered = renderMail(letter, languageOf(locale, ...locales), app_title);
    const { from_address: from } = await this.server.read();
    try {
      await this.server.send(
        {
          ...rendered,
          to,
          messageId: `<accounts.${job.id}@${from?.split('@').at(-1) ?? 'localhost'}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        },
        SEND_MS,
      );
    } catch (error) {
      throw withoutTokens(error, tokens);
    }
    return { mailed: 1 };
  }
}

/**
 * The mail server may repeat a part of the mail in its reply, which is stored with the job and logged. The part may be
 * encoded (base64, quoted-printable) or cut: of a mail with tokens, every long sequence of their characters is removed.
 */
function withoutTokens(error: unknown, tokens: readonly string[]): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(tokens.length === 0 ? message : message.replace(/[\w+=-]{20,}/g, '…'));
}

/** @param id of the session */
async function prepareSignIn(uow: UnitOfWork, id: string): Promise<PreparedMail | undefined> {
  const found = await readSignInMail(uow, id);
  if (!found) return undefined;
  const { email, display_name, locale, created_at, address, agent } = found;
  return {
    to: email,
    locale,
    tokens: [],
    letter: {
      subject: 'sign_in_subject',
      name: display_name,
      values: {
        email,
        days: KNOWN_DEVICE_DAYS,
        time: created_at,
        device: unlinked(agentFamily(agent)),
        address: address ?? '–',
      },
      blocks: [
        'sign_in_body',
        'sign_in_time',
        'sign_in_device',
        'sign_in_address',
        'sign_in_ignore',
        'sign_in_warning',
      ],
    },
  };
}
