import type { Host } from '../basics.js';
import { findState, findTemplateSections } from '../documents/repository.js';
import type { StoredSection } from './schema.js';

/** The sections that a document has; undefined if there is none. */
export const sectionsOfDocument = async (host: Host, id: string): Promise<StoredSection[] | undefined> =>
  (await findState(host.db, id))?.sections;

/** The same of a template. */
export const sectionsOfTemplate = async (host: Host, id: string): Promise<StoredSection[] | undefined> =>
  await findTemplateSections(host.db, id);
