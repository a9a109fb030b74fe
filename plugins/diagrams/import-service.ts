import { posix } from 'node:path';
import type { ModuleServices, RequestContext, UploadedFile } from '@lintel/sdk';
import type { ContentService } from './content-service.js';
import type { DiagramService } from './service.js';
import type { Settings } from './settings.js';

const MOST_NAME = 300;

/** The name of a diagram from that of its file. */
function nameOf(file: UploadedFile, place: number): string {
  const base = posix.basename(file.name.replaceAll('\\', '/')).replace(/\.(drawio|xml|dio)(\.xml)?$/i, '');
  const name = base
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MOST_NAME)
    .toWellFormed()
    .trim();
  return name === '' ? `Diagram ${place + 1}` : name;
}

/** Creates diagrams from uploaded files. */
export class DiagramImports {
  constructor(
    private readonly host: ModuleServices<Settings>,
    private readonly contents: ContentService,
    private readonly diagrams: DiagramService,
  ) {}

  /**
   * Creates a diagram for each file, in one transaction.
   * @throws diagrams_file_refused, validation_failed
   */
  async create(
    ctx: RequestContext,
    files: readonly UploadedFile[],
    groupId: string | null,
  ): Promise<{ file: string; id: string; name: string }[]> {
    const writes: {
      wanted: { name: string; group_id: string | null };
      file: string;
      write: Awaited<ReturnType<DiagramService['prepareCreate']>>;
    }[] = [];
    for (const [i, file] of files.entries()) {
      const prepared = await this.contents.prepare(ctx, file.bytes, `/files/${i}`);
      const wanted = { name: nameOf(file, i), group_id: groupId };
      writes.push({ wanted, file: file.name, write: await this.diagrams.prepareCreate(ctx, wanted, prepared) });
    }
    return await this.host.transactions.run(ctx, async (uow) => {
      const created: { file: string; id: string; name: string }[] = [];
      for (const { wanted, file, write } of writes)
        created.push({ file, id: (await write(uow)).id, name: wanted.name });
      return created;
    });
  }
}
