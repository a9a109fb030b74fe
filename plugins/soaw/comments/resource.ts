import { Nullable, Type, Uuid, resource, type ModuleServices, type RequestContext } from '@lintel/sdk';
import { ID, type Host } from '../basics.js';
import { MANAGE, VIEW } from '../permissions.js';
import { SECTION_KEY } from '../sections/schema.js';
import { notifyOfComment } from './notices.js';
import { findDocuments, lockDocument } from './repository.js';

/** Only the author of a comment and users with `soaw.manage` change it. @throws forbidden */
function requireOwn(host: ModuleServices, ctx: RequestContext, { created_by }: { created_by: string | null }): void {
  if (ctx.permissions.has(MANAGE) || (created_by !== null && created_by === ctx.actor?.id)) return;
  throw host.problem('forbidden', {
    detail: 'Only the author of the comment and users who manage the document change it.',
    required_permission: MANAGE,
  });
}

/** Comments on documents and their sections; not part of the signed content. Everyone who reads documents may comment. */
export const comments = resource({
  kind: 'soaw_comment',
  table: 'soaw_comments',
  tag: 'soaw',
  operation: 'SoawComment',
  label: 'a comment on a statement of architecture work',
  labels: 'comments on a statement of architecture work',
  permissions: { view: VIEW, manage: VIEW },
  fields: {
    document_id: Uuid(),
    section: Nullable(
      Type.String({
        maxLength: 50,
        pattern: SECTION_KEY,
        description: 'A key of a section; null: about the whole document.',
      }),
    ),
    text: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'Markdown.' }),
    resolved: Type.Boolean({ default: false }),
  },
  fixed: ['document_id', 'section'],
  bounds: [{ per: ['document_id'], most: 5_000 }],
  references: { document_id: (host, _ctx, ids) => findDocuments(host.db, ids) },
  filters: { section: 'any', resolved: 'any' },
  defaultSort: 'created_at',
  example: { document_id: ID, section: 'deliverables', text: 'The training is missing.', resolved: false },
  async prepare({ host, uow, ctx, before, next }) {
    if (before) {
      requireOwn(host, ctx, before);
      return {};
    }
    const document = await lockDocument(uow, next.document_id);
    if (!document) throw host.problem('not_found');
    if (next.section !== null && !document.keys.includes(next.section))
      throw host.invalid({ field: '/section', reason: 'names no section of the document' });
    if (document.status !== 'draft' && document.status !== 'in_review')
      throw host.problem('invalid_state', {
        detail: 'Comments are written on drafts and documents in review.',
        document_status: document.status,
      });
    await notifyOfComment(host as unknown as Host, uow, next.section, document);
    return {};
  },
  removing: ({ host, ctx, before }) => requireOwn(host, ctx, before!),
});
