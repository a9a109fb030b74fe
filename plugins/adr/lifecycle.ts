import { documentLifecycle } from '@lintel/sdk';
import { mayWrite } from './authority.js';
import { copyLinks, contentOf, findContent } from './content-repository.js';
import { CARD_MANAGE, MANAGE, SIGN, VIEW } from './permissions.js';
import { supersedeTargets } from './related-repository.js';
import { AdrView } from './schemas.js';
import type { Settings } from './settings.js';

/** draft → in_review → signed → superseded, for decisions. */
export const lifecycle = documentLifecycle<Settings>({
  kind: 'adr',
  prefix: 'adr',
  table: 'adr_decisions',
  tag: 'adr',
  operation: 'Adr',
  label: 'an architecture decision',
  view: AdrView,
  copied: [
    'title',
    'title_key',
    'context',
    'drivers',
    'options',
    'decision',
    'consequences',
    'search_text',
    'source',
    'source_path',
    'source_sha256',
    'source_markdown',
    'source_reader',
    'source_status',
    'source_life',
  ],
  permissions: { view: VIEW, manage: MANAGE, sign: SIGN },
  cardPermission: CARD_MANAGE,
  authorise: mayWrite,
  content: async (uow, id) => contentOf(await findContent(uow, id)),
  copy: copyLinks,
  async moved(uow, { id, to }) {
    if (to === 'signed') await supersedeTargets(uow, [id]);
  },
  fourEyes: (settings) => settings.four_eyes,
  notification: 'adr.signature_requested',
});
