import type { RequestContext } from '@lintel/sdk';
import { checkVersion } from '../foundation/conditions.js';
import type { Database } from '../foundation/db/database.js';
import type { Revisions } from '../foundation/db/revisions.js';
import { asService } from '../foundation/request-use.js';
import type { Transactions } from '../foundation/db/unit-of-work.js';
import { invalid, problem } from '../foundation/errors.js';
import type { FileStore } from '../foundation/files/index.js';
import { readImage, type LogoType } from './logo-image.js';
import { LOGO_LIMIT, type LogoView } from './logo-schemas.js';
import { lockSection, readSection, writeSection } from './repository.js';

interface StoredLogo {
  file_id: string;
  media_type: LogoType;
  size: number;
}

interface Logo extends StoredLogo {
  version: number;
  bytes: Buffer;
}

/** A file left unreferenced because the node failed is deleted after this many hours. */
const UNUSED_HOURS = 1;
const READS = 5;
const SUBJECT = { kind: 'settings', id: 'logo', name: 'Logo' };

const isStored = (value: Partial<StoredLogo>): value is StoredLogo => value.file_id !== undefined;
const published = (value: Partial<StoredLogo>): object | null =>
  isStored(value) ? { media_type: value.media_type, size: value.size } : null;

/** The logo of the workspace. It is public, so each node caches it in memory; changes take effect within a second. */
export class LogoService {
  private held: Promise<Logo | undefined> | undefined;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly files: FileStore,
    revisions: Revisions,
  ) {
    revisions.on('settings', () => {
      this.held = undefined;
    });
  }

  /** @returns undefined where there is none */
  async find(): Promise<Logo | undefined> {
    const reading = (this.held ??= asService(() => this.load()));
    reading.catch(() => {
      if (this.held === reading) this.held = undefined;
    });
    return await reading;
  }

  /** @throws not_found where there is none */
  async get(): Promise<Logo> {
    const logo = await this.find();
    if (!logo) throw problem('not_found', { detail: 'The workspace has no logo.' });
    return logo;
  }

  /** @throws precondition_failed, validation_failed */
  async set(ctx: RequestContext, bytes: Buffer | undefined): Promise<LogoView> {
    if (bytes === undefined || bytes.length === 0) throw invalid({ field: '', reason: 'is required' });
    const image = readImage(bytes);
    if ('fault' in image) throw invalid({ field: '', reason: image.fault });
    const file = await this.files.write(whole(bytes), {
      maxBytes: LOGO_LIMIT,
      createdBy: ctx.actor?.id ?? null,
      keepHours: UNUSED_HOURS,
    });
    const next: StoredLogo = { file_id: file.id, media_type: image.type, size: file.size };
    try {
      const version = await this.replace(ctx, next);
      return { media_type: next.media_type, size: next.size, version };
    } catch (error) {
      await this.files.remove(file.id).catch(() => undefined);
      throw error;
    }
  }

  /** @throws precondition_failed, not_found */
  async remove(ctx: RequestContext): Promise<void> {
    await this.replace(ctx, undefined);
  }

  /** @returns the new version */
  private async replace(ctx: RequestContext, next: StoredLogo | undefined): Promise<number> {
    return await this.transactions.run(ctx, async (uow) => {
      const { value, version } = await lockSection<Partial<StoredLogo>>(uow, 'logo');
      if (!next && !isStored(value)) throw problem('not_found', { detail: 'The workspace has no logo.' });
      checkVersion(ctx, version, ['logo']);
      if (next) await this.files.keep([next.file_id], uow);
      if (isStored(value)) await this.files.remove(value.file_id, uow);
      uow.emit({
        type: 'settings.logo_changed',
        subject: SUBJECT,
        data: { changes: [{ field: 'logo', old: published(value), new: published(next ?? {}) }] },
      });
      uow.bump('settings');
      return await writeSection(uow, 'logo', next ?? {});
    });
  }

  private async load(): Promise<Logo | undefined> {
    for (let tries = 0; tries < READS; tries++) {
      const { value, version } = await readSection<Partial<StoredLogo>>(this.db, 'logo');
      if (!isStored(value)) return undefined;
      const parts: Buffer[] = [];
      for await (const part of this.files.read(value.file_id)) parts.push(part);
      const bytes = Buffer.concat(parts);
      // Otherwise it was replaced between the two reads.
      if (bytes.length === value.size) return { ...value, version, bytes };
    }
    return undefined;
  }
}

async function* whole(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
