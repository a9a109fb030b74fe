import type { RequestContext, UnitOfWork, WrittenResource } from '@lintel/sdk';
import { hashOf, type FlowContent } from '../content.js';
import type { Host } from '../basics.js';
import { findTemplate, lockTemplate, type TemplateFile } from './repository.js';
import type { Templates } from './resource.js';
import { isShipped, shippedFile } from './shipped.js';
import { SHIPPED_TEXTS } from './shipped-texts.js';
import { languageOf, type Language } from '../words/index.js';

/** The files of templates. */
export class TemplateContent {
  constructor(
    private readonly host: Host,
    private readonly content: FlowContent,
    private readonly templates: Templates,
  ) {}

  /**
   * Stores the file of a template.
   * @returns the template as it was written
   * @throws not_found, precondition_failed, bpm_file_refused
   */
  async put(ctx: RequestContext, id: string, bytes: Buffer): Promise<WrittenResource> {
    await this.find(id);
    const { facts, ...file } = await this.content.take(ctx, bytes, 'template.bpmn');
    const { file_id, content_hash, size, element_count } = facts;
    const write = (written: (uow: UnitOfWork, id: string) => Promise<void>) =>
      this.host.transactions.run(ctx, async (uow) => {
        const before = await lockTemplate(uow, id);
        if (!before) throw this.host.problem('not_found');
        this.host.checkVersion(ctx, before.version, ['content_hash']);
        await this.host.files.keep([file_id], uow);
        if (before.file_id !== null) await this.host.files.remove(before.file_id, uow);
        await this.templates.updateIn(uow, id, { file_id, content_hash, size, element_count, shipped: null });
        await written(uow, id);
        return id;
      });
    return await this.templates.answering(ctx, (written) =>
      this.content.keeping({ facts, ...file }, () => write(written)),
    );
  }

  /**
   * The bytes of a template, and what its ETag is made from.
   * @param lang of a template that ships with the module; default: the first language of the workspace
   * @throws not_found if it has no file
   */
  async get(
    id: string,
    lang: string | undefined,
  ): Promise<{ name: string; version: number; derived?: unknown[]; bytes: () => Promise<Buffer> }> {
    const { name, version, file_id, shipped } = await this.find(id);
    if (isShipped(shipped)) {
      const bytes = shippedFile(shipped, this.language(lang));
      return { name, version, derived: [hashOf(bytes)], bytes: () => Promise.resolve(bytes) };
    }
    if (file_id === null) throw this.host.problem('not_found', { detail: 'The template has no file yet.' });
    return { name, version, bytes: () => this.content.bytesOf(file_id) };
  }

  /** The file from which a version is created. @throws validation_failed */
  async forVersion(id: string): Promise<{ name: string; bytes: Buffer }> {
    const template = await findTemplate(this.host.db, id);
    const wrong = (reason: string) => this.host.invalid({ field: '/template_id', reason });
    if (!template) throw wrong('names no template');
    if (isShipped(template.shipped)) {
      const language = this.language(undefined);
      // Its name is translated as its file is, unless a user has renamed it.
      const isRenamed = template.name !== SHIPPED_TEXTS.en[template.shipped].name;
      const name = isRenamed ? template.name : SHIPPED_TEXTS[language][template.shipped].name;
      return { name, bytes: shippedFile(template.shipped, language) };
    }
    if (template.file_id === null) throw wrong('names a template without a file');
    return { name: template.name, bytes: await this.content.bytesOf(template.file_id) };
  }

  private language(lang: string | undefined): Language {
    return languageOf(lang ?? this.host.workspace().locales[0] ?? 'en');
  }

  private async find(id: string): Promise<TemplateFile> {
    const template = await findTemplate(this.host.db, id);
    if (!template) throw this.host.problem('not_found');
    return template;
  }
}
