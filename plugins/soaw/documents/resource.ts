import { isDeepStrictEqual } from 'node:util';
import {
  AnyOf,
  LifecycleFields,
  LinkedCards,
  Nullable,
  OneOf,
  Type,
  Uuid,
  documentLifecycle,
  lifecycleReads,
  resource,
  type DocumentLifecycle,
  type Resource,
} from '@lintel/sdk';
import { numberOf, ID, type Host } from '../basics.js';
import { CARD_MANAGE, DELETE, MANAGE, SIGN, VIEW } from '../permissions.js';
import { faultsOf, stored, wordsOf } from '../sections/rules.js';
import { Sections, type StoredSection } from '../sections/schema.js';
import { TOGAF_SECTIONS } from '../sections/togaf.js';
import { withoutHiddenFilters } from '../tables/filters.js';
import { RENDER } from '../files/job.js';
import type { Settings } from '../settings.js';
import { freeze } from '../tables/freeze.js';
import {
  awaiting,
  copyCards,
  findContent,
  findTemplates,
  nextNumber,
  templateSections,
  unfreeze,
} from './repository.js';

/** Of all sections as JSON. */
const MOST_CHARACTERS = 2_200_000;
const STATUSES = ['draft', 'in_review', 'signed', 'superseded'] as const;
const CardRole = OneOf(['initiative', 'in_scope', 'affected'], {
  description: 'initiative: the project that does the work; in_scope: it is worked on; affected: it changes with it.',
});

const FIELDS = {
  title: Type.String({ minLength: 1, maxLength: 300, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' }),
  template_id: Nullable(
    Uuid({ description: 'The template of the workspace with whose sections it begins; null: the one of TOGAF.' }),
  ),
  sections: Sections({
    default: [],
    description: 'In their order, each key once. Default, also for an empty list: those of the template.',
  }),
  cards: LinkedCards({ role: CardRole }, { description: 'The cards concerned, each once.' }),
};
const ASSIGNED = { serial: Type.Integer({ minimum: 1 }), words: Type.String() };
const SHOWN = {
  number: Type.String({
    description: 'Without gaps; all revisions of a document have the same one.',
    examples: ['SOAW-0001'],
  }),
  ...LifecycleFields,
};
type Documents = Resource<typeof FIELDS, typeof ASSIGNED, typeof SHOWN, Record<string, unknown>>;

/** Statements of architecture work: the only way to read and write them. */
export const documents: Documents = resource({
  kind: 'soaw',
  table: 'soaw_documents',
  tag: 'soaw',
  operation: 'Soaw',
  label: 'a statement of architecture work',
  labels: 'statements of architecture work',
  permissions: { view: VIEW, manage: MANAGE, remove: DELETE },
  fields: FIELDS,
  fixed: ['template_id'],
  unlisted: ['sections'],
  assigned: ASSIGNED,
  hidden: ['serial', 'words'],
  derived: ['serial', 'words'],
  columns: { serial: 'number' },
  shown: SHOWN,
  reads: lifecycleReads('soaw'),
  computed: { title_key: ({ title }, host) => host.nameKey(title) },
  references: { template_id: (host, _ctx, ids) => findTemplates(host.db, ids) },
  links: { field: 'cards', table: 'soaw_cards', owner: 'document_id', permission: CARD_MANAGE },
  search: ['title', 'words'],
  filters: {
    template_id: 'any',
    status: {
      schema: AnyOf(STATUSES),
      sql: (value, bind, alias) => `${alias}.status = any(${bind(String(value).split(','))}::text[])`,
    },
    number: {
      schema: Type.String({ pattern: '^SOAW-[0-9]{1,9}$', maxLength: 14, description: 'All revisions of a document.' }),
      sql: (value, bind, alias) => `${alias}.number = ${bind(Number(String(value).slice(5)))}::integer`,
    },
    awaiting: {
      schema: Uuid({ description: 'Documents in review that the user has yet to sign.' }),
      sql: (value, bind, alias) => awaiting(alias, bind(value)),
    },
  },
  sorts: { number: { column: 'number', type: 'integer' }, title: { column: 'title_key', type: 'text' } },
  defaultSort: 'number',
  example: {
    title: 'Move the order systems to the cloud',
    template_id: null,
    sections: [
      {
        key: 'deliverables',
        title: 'Deliverables',
        text: 'Delivered by the platform team.',
        entries: [{ deliverable: 'Target architecture', due_date: '2026-09-30' }],
        tables: [{ id: 'applications', kind: 'cards', title: 'Applications', filter: { type: 'Application' } }],
      },
    ],
    cards: [{ card_id: ID, role: 'initiative' }],
  },
  async prepare({ host, uow, id, before, next }) {
    if (before) {
      // An empty patch is no change, of a signed document neither.
      if (isDeepStrictEqual(before, next)) return {};
      await lifecycle.lockDraft(host as unknown as Host, uow, id);
    }
    const serial = before?.serial ?? (await nextNumber(uow));
    const isEmpty = !before && next.sections.length === 0;
    const sections = isEmpty
      ? next.template_id === null
        ? TOGAF_SECTIONS.map((section) => ({ ...section }))
        : await templateSections(uow, next.template_id)
      : stored(next.sections);
    const faults = faultsOf(sections);
    if (JSON.stringify(sections).length > MOST_CHARACTERS)
      faults.push({ field: '/sections', reason: `have more than ${MOST_CHARACTERS} characters as JSON` });
    if (faults.length > 0) throw host.invalid(...faults);
    return { title: next.title.trim(), serial, sections, words: wordsOf(numberOf(serial), sections) };
  },
  eventData: ({ row }) => ({ number: numberOf(row.serial) }),
  removing: ({ host, uow, id }) => lifecycle.lockDraft(host as unknown as Host, uow, id),
  async present(rows, ctx, host) {
    const sections = await withoutHiddenFilters(
      host,
      ctx,
      // Lists do not read them.
      rows.map((row) => (row.sections ?? []) as StoredSection[]),
    );
    return rows.map(({ serial }, i) => ({ number: numberOf(serial), sections: sections[i]! }));
  },
});

/** draft → in_review → signed → superseded, for statements of architecture work. */
export const lifecycle: DocumentLifecycle<Settings> = documentLifecycle<Settings>({
  kind: 'soaw',
  prefix: 'soaw',
  table: 'soaw_documents',
  tag: 'soaw',
  operation: 'Soaw',
  label: 'a statement of architecture work',
  view: documents.view,
  copied: ['title', 'title_key', 'template_id', 'sections', 'words', 'search_text'],
  permissions: { view: VIEW, manage: MANAGE, sign: SIGN },
  cardPermission: CARD_MANAGE,
  authorise: (host, ctx, id) => documents.service(host).requireWrite(ctx, id),
  freeze,
  content: findContent,
  copy: copyCards,
  async moved(uow, { id, to }, host) {
    if (to === 'draft') await unfreeze(uow, id);
    if (to === 'signed') await host.jobs.enqueue(uow, RENDER, { document_id: id });
  },
  fourEyes: (settings) => settings.four_eyes,
  notification: 'soaw.signature_requested',
});
