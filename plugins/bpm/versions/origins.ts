import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { FlowContent } from '../content.js';
import type { TemplateContent } from '../templates/content.js';
import { findVersion, type VersionRow } from './repository.js';
import type { VersionCreate } from './schemas.js';

/** Name of the file of a version that was not made from a file with a name. */
export const DEFAULT_NAME = 'process.bpmn';

/** What a new version is made from. */
export interface Origin {
  source: VersionRow['source'];
  bytes: Buffer;
  file_name: string;
  template_id: string | null;
  /** The version whose links are carried over; undefined: the published, otherwise the latest one. */
  based_on: string | null | undefined;
  title: string | undefined;
  comment: string | null;
}

/** What the versions are made from that are not uploaded. */
export class Origins {
  constructor(
    private readonly host: Host,
    private readonly content: FlowContent,
    private readonly templates: TemplateContent,
  ) {}

  /**
   * The content of a new draft: empty, of a template, or of another version of the same process.
   * @param process name of the process
   * @throws validation_failed; not_found for an unknown template
   */
  async of(ctx: RequestContext, cardId: string, process: string, body: VersionCreate): Promise<Origin> {
    const { from, template_id, version_id } = body;
    const wrong = [
      ...(from === 'template' && template_id === undefined ? [{ field: '/template_id', reason: 'is required' }] : []),
      ...(from !== 'template' && template_id !== undefined
        ? [{ field: '/template_id', reason: 'is only for `from: template`' }]
        : []),
      ...(from === 'version' && version_id === undefined ? [{ field: '/version_id', reason: 'is required' }] : []),
      ...(from !== 'version' && version_id !== undefined
        ? [{ field: '/version_id', reason: 'is only for `from: version`' }]
        : []),
    ];
    if (wrong.length > 0) throw this.host.invalid(...wrong);
    const common = {
      source: from,
      title: body.title?.trim(),
      comment: body.comment ?? null,
      template_id: null,
      based_on: null,
    };
    if (from === 'template') {
      const { bytes, name } = await this.templates.forVersion(template_id!);
      return { ...common, bytes, file_name: DEFAULT_NAME, template_id: template_id!, title: common.title ?? name };
    }
    if (from === 'version') {
      const row = await findVersion(this.host.db, cardId, version_id!);
      if (!row) throw this.host.invalid({ field: '/version_id', reason: 'names no version of the process' });
      const bytes = await this.content.bytesOf(row.file_id);
      return { ...common, bytes, file_name: row.file_name, based_on: row.id, title: common.title ?? row.title };
    }
    return {
      ...common,
      bytes: await this.content.blank(ctx, process),
      file_name: DEFAULT_NAME,
      title: common.title ?? process,
    };
  }
}
