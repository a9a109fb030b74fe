import type { RequestContext, WrittenResource } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { documents } from '../documents/resource.js';
import { withHiddenFilters } from '../tables/filters.js';
import { sectionFaults } from './checks.js';
import { sectionsOfDocument } from './known.js';
import { faultsOf } from './rules.js';
import type { Section, SectionBody } from './schema.js';

/** Errors of the only section of a body, whose pointers begin at the body. */
const inBody = (faults: readonly { field: string; reason: string }[], index: number) =>
  faults.flatMap(({ field, reason }) =>
    field.startsWith(`/sections/${index}/`) ? [{ field: field.slice(`/sections/${index}`.length), reason }] : [],
  );

/** Single sections of documents. */
export class SectionService {
  constructor(
    private readonly host: Host,
    private readonly register: ReturnType<typeof documents.service>,
  ) {}

  /**
   * Replaces a section, or adds it at the end.
   * @returns the document as it was written
   * @throws not_found, forbidden, precondition_failed, invalid_state, validation_failed
   */
  async put(ctx: RequestContext, id: string, key: string, body: SectionBody): Promise<WrittenResource> {
    const section: Section = { key, ...body };
    const faults = inBody(await sectionFaults(this.host, ctx, [section]), 0);
    if (faults.length > 0) throw this.host.invalid(...faults);
    const known = (await sectionsOfDocument(this.host, id)) ?? [];
    const [whole = section] = withHiddenFilters(known, [section]);
    return await this.register.change(ctx, id, [], ({ sections }) => {
      const at = sections.findIndex((one) => one.key === key);
      const index = at === -1 ? sections.length : at;
      const next = [...sections.slice(0, index), whole, ...sections.slice(index + 1)];
      const others = faultsOf(next);
      const own = inBody(others, index);
      if (own.length > 0) throw this.host.invalid(...own);
      if (others.length > 0) throw this.host.invalid(...others.map(({ reason }) => ({ field: '', reason })));
      return { sections: next };
    });
  }
}
