import { posix } from 'node:path';
import type { RequestContext, UploadedFile } from '@lintel/sdk';
import type { ContentService } from './content-service.js';
import type { DiagramService } from './service.js';

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
    const contents = await this.contents.prepareNew(
      ctx,
      files.map(({ bytes }, i) => ({ bytes, field: `/files/${i}` })),
    );
    const wanted = contents.map((prepared, i) => ({ name: nameOf(files[i]!, i), prepared }));
    const ids = await this.diagrams.createAll(ctx, groupId, wanted);
    return wanted.map(({ name }, i) => ({ file: files[i]!.name, id: ids[i]!, name }));
  }
}
