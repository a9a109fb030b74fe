import type { BytesResult, RequestContext, Static } from '@lintel/sdk';
import type { FlowContent } from '../content.js';
import { readDrawnLinks } from '../elements/repository.js';
import { CHANGES } from '../notation/diff.js';
import type { Host } from '../basics.js';
import { findVersion, type WholeVersion } from './repository.js';
import type { DiffView, PictureQuery } from './schemas.js';
import type { VersionService } from './service.js';
import { languageOf, type Language } from '../words/index.js';

/** Elements of a drawing that are linked. */
const MOST_LINKED = 5_000;
type Picture = Omit<BytesResult, 'type'>;
/** How a picture is asked for. */
export type PictureOptions = PictureQuery & { format: 'svg' | 'png' };

/** Ids in a file do not begin with a digit, so that a number is an index. */
const diagramOf = ({ diagram }: PictureQuery): { diagram?: string | number } =>
  diagram === undefined ? {} : { diagram: /^\d{1,9}$/.test(diagram) ? Number(diagram) : diagram };

/** Drawings of versions and their differences; made in another process, only if the client does not have them. */
export class VersionPictures {
  constructor(
    private readonly host: Host,
    private readonly versions: VersionService,
    private readonly content: FlowContent,
  ) {}

  /** A diagram of a version. @throws not_found; the function that makes it: not_found for an unknown diagram, bpm_file_too_complex */
  async draw(ctx: RequestContext, cardId: string, id: string, options: PictureOptions): Promise<Picture> {
    const row = await this.versions.find(ctx, cardId, id);
    const links = await this.linksOf(ctx, row);
    const language = this.languageOf(options);
    return {
      version: row.version,
      derived: [row.content_hash, options, language, links],
      bytes: async () => {
        const file = await this.content.bytesOf(row.file_id);
        return this.drawn(await this.content.draw(ctx, file, { ...options, ...diagramOf(options), language, links }));
      },
    };
  }

  private languageOf({ lang }: PictureQuery): Language {
    return languageOf(lang ?? this.host.workspace().locales[0] ?? 'en');
  }

  /** Addresses of linked cards by BPMN id; of an element with several cards, the address of the element. */
  private async linksOf(
    ctx: RequestContext,
    { id, card_id }: WholeVersion,
  ): Promise<Record<string, { href: string; label: string }>> {
    const linked = await readDrawnLinks(this.host, ctx, id, MOST_LINKED);
    const { publicUrl = '' } = this.host.workspace();
    return Object.fromEntries(
      linked.map((element) => {
        const [first, ...others] = element.cards;
        const path = others.length === 0 ? `cards/${first!.id}` : `bpm/processes/${card_id}/elements/${element.id}`;
        const label = element.cards.map(({ name }) => name).join(', ');
        return [element.bpmn_id, { href: `${publicUrl}/api/v1/${path}`, label }];
      }),
    );
  }

  /** What has changed from another version of the process to this one. @throws not_found, validation_failed, bpm_file_too_complex */
  async diff(ctx: RequestContext, cardId: string, id: string, withId: string): Promise<Static<typeof DiffView>> {
    const { before, after } = await this.pair(ctx, cardId, id, withId);
    const [from, to] = [await this.content.bytesOf(before.file_id), await this.content.bytesOf(after.file_id)];
    const diff = await this.content.diff(ctx, from, to);
    const { totals, ...lists } = diff;
    return {
      before: { id: before.id, revision: before.revision },
      after: { id: after.id, revision: after.revision },
      truncated: CHANGES.some((kind) => lists[kind].length < totals[kind]),
      summary: totals,
      ...lists,
    };
  }

  /** The version with what has changed marked. @throws as `diff` */
  async drawDiff(
    ctx: RequestContext,
    cardId: string,
    id: string,
    withId: string,
    options: PictureOptions,
  ): Promise<Picture> {
    const { before, after } = await this.pair(ctx, cardId, id, withId);
    const language = this.languageOf(options);
    return {
      version: after.version,
      derived: [before.content_hash, after.content_hash, options, language],
      bytes: async () => {
        const [from, to] = [await this.content.bytesOf(before.file_id), await this.content.bytesOf(after.file_id)];
        return this.drawn(
          await this.content.draw(ctx, to, { ...options, ...diagramOf(options), language, before: from }),
        );
      },
    };
  }

  private async pair(
    ctx: RequestContext,
    cardId: string,
    id: string,
    withId: string,
  ): Promise<{ before: WholeVersion; after: WholeVersion }> {
    const after = await this.versions.find(ctx, cardId, id);
    const before = await findVersion(this.host.db, after.card_id, withId);
    if (before) return { before, after };
    throw this.host.problem('validation_failed', {
      errors: [{ field: 'with', reason: 'names no version of the process', in: 'query' }],
    });
  }

  /** @throws not_found for a diagram that the file does not have */
  private drawn(picture: Buffer | undefined): Buffer {
    if (!picture) throw this.host.problem('not_found', { detail: 'The file has no such diagram.' });
    return picture;
  }
}
