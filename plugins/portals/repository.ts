import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import type { PortalDefinition } from './definition.js';

/** A published portal. */
export interface PublishedPortal extends PortalDefinition, Record<string, unknown> {
  id: string;
  version: number;
}

/** All published portals, of which there are few. */
export const readPublished = ({ db }: ModuleServices<never>): Promise<PublishedPortal[]> =>
  db.query<PublishedPortal>({
    name: 'portals-published',
    text: `select p.id, p.version, p.slug, p.title, p.description, p.type, p.fields, p.costs, p.filters, p.visitor_filters,
      p.search_fields, p.sort_by, p.sort_dir, p.page_size from portals_portals p where p.is_published`,
  });

/** The number of portals, while their number is locked. */
export async function countPortals(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ portals: number }>({
    name: 'portals-count',
    text: 'select count(*)::int as portals from portals_portals',
  });
  return row!.portals;
}
