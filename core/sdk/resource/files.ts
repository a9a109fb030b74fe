import type { RequestContext } from '../context.js';
import type { PageResult, UploadedFile } from '../http.js';
import { Problem } from '../problem.js';
import type { ListParams, ModuleServices, UnitOfWork } from '../services.js';
import type { FieldChange } from './changes.js';
import type { FileRepository, NewFile, ResourceFile, StoredFile } from './files-repository.js';
import type { ResourceOperation } from './operation.js';
import type { ResourceFileOptions } from './spec.js';

/** Hours after which the bytes of a file are deleted if the transaction that adds the file does not commit. */
const ARRIVING_HOURS = 24;
const DEFAULT_BYTES = 10_485_760;
const DEFAULT_FILES = 20;
const MOST_FILES = 100;

/** The limits of the files of a resource. */
export const limitsOf = ({ maxBytes = DEFAULT_BYTES, maxFiles = DEFAULT_FILES }: ResourceFileOptions) => ({
  bytes: maxBytes,
  files: Math.min(maxFiles, MOST_FILES),
});

/** What adding and removing files needs of the resource. */
export interface FileOwner {
  /** Requires that the caller may change the resource. @throws not_found, forbidden */
  requireWrite(id: string): Promise<void>;
  /** Changes the resource in a transaction, with all checks of an update. @returns the changes, also of a repeated request */
  change(id: string, also: NonNullable<ResourceOperation['also']>): Promise<readonly FieldChange[]>;
}

/** Names of media types by RFC 6838; others cannot be sent as a header. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
const UNKNOWN_TYPE = 'application/octet-stream';

const shown = ({ file_id: _bytes, ...file }: StoredFile): ResourceFile => file;
const logged = ({ id, name, type, size }: Pick<ResourceFile, 'id' | 'name' | 'type' | 'size'>) => ({
  id,
  name,
  type,
  size,
});

/** The files of resources of one kind. */
export class ResourceFiles {
  constructor(
    private readonly rows: FileRepository,
    private readonly options: ResourceFileOptions,
    private readonly host: ModuleServices,
  ) {}

  /** @param id of a resource that the caller may see */
  async list(id: string, params: ListParams): Promise<PageResult<ResourceFile>> {
    const page = await this.rows.page(this.host.db, id, params);
    return { ...page, items: page.items.map(shown) };
  }

  /** One file, and its bytes, chunk by chunk. @param id of a resource that the caller may see @throws not_found */
  async open(id: string, fileId: string): Promise<{ file: ResourceFile; bytes: AsyncIterable<Buffer> }> {
    const [found] = await this.rows.find(this.host.db, id, [fileId]);
    if (!found) throw this.host.problem('not_found');
    return { file: shown(found), bytes: this.host.files.read(found.file_id) };
  }

  /**
   * Adds files: their bytes are stored first, and kept by the transaction that adds their rows.
   * @returns the added files as they were written
   * @throws not_found, forbidden, precondition_failed, validation_failed for files of other types or too many files
   */
  async add(
    ctx: RequestContext,
    owner: FileOwner,
    id: string,
    uploads: readonly UploadedFile[],
  ): Promise<ResourceFile[]> {
    this.checkTypes(uploads);
    await owner.requireWrite(id);
    const stored: NewFile[] = [];
    try {
      for (const { name, type, bytes } of uploads) stored.push(await this.store(ctx, name, type, bytes));
      const added = stored.map((file) => ({ ...file, id: this.host.newId() }));
      let written: StoredFile[] = [];
      const changes = await owner.change(id, async (uow) => {
        written = await this.insert(uow, id, added);
        return added.map((file) => ({ field: 'files', old: null, new: logged(file) }));
      });
      const ids = changes.map((change) => (change.new as ResourceFile).id);
      if (added.every((file) => ids.includes(file.id))) return written.map(shown);
      // A repeated request has added nothing.
      await this.discard(stored);
      return (await this.rows.find(this.host.db, id, ids)).map(shown);
    } catch (error) {
      // After any other error the transaction may have been committed: they expire if it was not.
      if (error instanceof Problem && error.status < 500) await this.discard(stored);
      throw error;
    }
  }

  /** Deletes bytes that no row refers to, which otherwise expire. */
  private async discard(stored: readonly NewFile[]): Promise<void> {
    for (const { file_id } of stored) await this.host.files.remove(file_id).catch(() => undefined);
  }

  /** @throws not_found, forbidden, precondition_failed */
  async remove(owner: FileOwner, id: string, fileId: string): Promise<void> {
    await owner.change(id, async (uow) => {
      const removed = await this.rows.remove(uow, id, fileId);
      if (!removed) throw this.host.problem('not_found');
      return [{ field: 'files', old: logged(removed), new: null }];
    });
  }

  private checkTypes(uploads: readonly UploadedFile[]): void {
    const { types } = this.options;
    const errors = uploads.flatMap(({ name, type }, i) => [
      ...(name === '' ? [{ field: `/files/${i}`, reason: 'has no name' }] : []),
      ...(types && !types.includes(type) ? [{ field: `/files/${i}`, reason: `must be ${types.join(' or ')}` }] : []),
    ]);
    if (errors.length > 0) throw this.host.invalid(...errors);
  }

  private async store(ctx: RequestContext, name: string, type: string, bytes: Buffer): Promise<NewFile> {
    const stream = (async function* () {
      yield bytes;
    })();
    const { id, size, sha256 } = await this.host.files.write(ctx, stream, {
      maxBytes: bytes.length,
      keepHours: ARRIVING_HOURS,
    });
    return { file_id: id, name, type: MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE, size, sha256 };
  }

  private async insert(
    uow: UnitOfWork,
    id: string,
    added: readonly (NewFile & { id: string })[],
  ): Promise<StoredFile[]> {
    const { files: most } = limitsOf(this.options);
    if ((await this.rows.count(uow, id)) + added.length > most)
      throw this.host.invalid({ field: '/files', reason: `there would be more than ${most} files` });
    const written = await this.rows.add(uow, id, added);
    await this.host.files.keep(
      added.map(({ file_id }) => file_id),
      uow,
    );
    return written;
  }
}
