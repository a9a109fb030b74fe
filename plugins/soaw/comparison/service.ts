import type { RequestContext, Static } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { findState, type DocumentState } from '../documents/repository.js';
import { withoutHiddenFilters } from '../tables/filters.js';
import { readable, readerOf } from '../tables/reader.js';
import { typedTables } from '../tables/typed.js';
import { compareSections, compareTables } from './compare.js';
import type { SoawDiff } from './schemas.js';

/** Compares revisions of documents, as the reader may see them. */
export class Comparison {
  constructor(private readonly host: Host) {}

  /**
   * What has changed from another document to this one, usually between two revisions.
   * @throws not_found, validation_failed if the other one does not exist
   */
  async diff(ctx: RequestContext, id: string, withId: string): Promise<Static<typeof SoawDiff>> {
    const after = await findState(this.host.db, id);
    if (!after) throw this.host.problem('not_found');
    const before = await findState(this.host.db, withId);
    if (!before)
      throw this.host.problem('validation_failed', {
        errors: [{ field: 'with', reason: 'names no statement of architecture work', in: 'query' }],
      });
    const [old, now] = await withoutHiddenFilters(this.host as never, ctx, [before.sections, after.sections]);
    const areFrozen = before.frozen !== null && after.frozen !== null;
    return {
      before: headOf(before),
      after: headOf(after),
      title: before.title === after.title ? null : { before: before.title, after: after.title },
      sections: await compareSections(old!, now!),
      tables: areFrozen ? await this.tables(ctx, before, after) : null,
    };
  }

  private async tables(ctx: RequestContext, before: DocumentState, after: DocumentState) {
    const reader = await readerOf(this.host, ctx, [...before.frozen!.tables, ...after.frozen!.tables], false);
    const tablesOf = ({ sections, frozen }: DocumentState) =>
      typedTables(sections, frozen!.tables).map((table) => readable(table, frozen!, reader));
    return compareTables(tablesOf(before), tablesOf(after));
  }
}

const headOf = ({ id, revision, status, content_hash }: DocumentState) => ({ id, revision, status, content_hash });
