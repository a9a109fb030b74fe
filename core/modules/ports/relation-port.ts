import {
  answerBulk,
  type BulkOutcome,
  type BulkResult,
  type RelationOutcome,
  type RelationPort,
  type RelationView,
} from '@lintel/sdk';
import type { HostServices } from '../services.js';
import { systemContext } from '../../foundation/context.js';
import { bulkCheck, queryCheck } from '../../foundation/http/query.js';
import { BulkBody, RelationQuery, type RelationOperation, type RelationRow } from '../../inventory/relations/index.js';
import { bulkIn } from './bulk-in.js';
import { demand, inTurn } from './inner-context.js';
import { ModuleUnit } from './unit.js';

type Outcome = BulkOutcome<BulkResult<RelationOutcome>>;

const queryOf = queryCheck(RelationQuery);
const bulkOf = bulkCheck(BulkBody);

/** Relations for modules, with the service of the REST API. */
export function relationPort(core: HostServices): RelationPort {
  const { relations } = core;
  const { permissions } = systemContext('modules');
  return {
    async list(ctx, query) {
      await demand(core, ctx, 'relations.view');
      const page = await relations.list(ctx, queryOf(query));
      return {
        ...page,
        items: page.items.map(({ derived: _derived, ...relation }): RelationView => ({ ...relation })),
      };
    },

    async bulk(ctx, operations, { mode = 'all_or_nothing', dryRun = false } = {}) {
      await demand(core, ctx, 'relations.manage', 'card.manage_relations');
      const { body, refused } = await bulkOf({ mode, operations });
      return (await answerBulk(
        { ctx, body: { mode, operations: body.operations as RelationOperation[] }, refusedOperations: refused },
        (sound) =>
          inTurn({ ...ctx, dryRun: dryRun || ctx.dryRun }, 'relations', (own) => relations.bulk(own, mode, sound)),
      )) as Outcome;
    },

    async bulkIn(unit, operations, { authority = 'caller', ...options } = {}) {
      const uow = ModuleUnit.core(unit);
      if (authority === 'caller') await demand(core, uow.ctx, 'relations.manage', 'card.manage_relations', uow);
      return (await bulkIn<RelationOperation, RelationRow>(uow, operations, options, bulkOf, (ctx, sound, mode) =>
        relations.bulkIn(uow, authority === 'module' ? { ...ctx, permissions } : ctx, mode, sound),
      )) as Outcome;
    },
  };
}
