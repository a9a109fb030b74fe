import { Type } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../../foundation/http/schemas.js';

export const HistoryQuery = Strict({ ...PageQuery, sort_by: SortBy('at') });

export const HistoryPageView = Page(
  Type.Object({
    version: Type.Integer({
      minimum: 1,
      description: 'The version the change led to; of tags and stakeholders, which leave it, the one they changed at.',
    }),
    at: Timestamp(),
    actor: Nullable(Type.Object({ id: Uuid(), display_name: Type.String() })),
    origin: Type.String({ description: 'What caused it: api, import, cron, job …', examples: ['api'] }),
    change_id: Uuid({ description: 'Groups all that one request or job changed.' }),
    request_id: Nullable(Type.String()),
    changes: Type.Array(
      Type.Object({
        field: Type.String({ examples: ['attributes.costTotalAnnual'] }),
        old: Type.Unknown(),
        new: Type.Unknown(),
      }),
      {
        description:
          'One per field, attribute and phase of the lifecycle. Costs are left out for who may not see them.',
      },
    ),
  }),
);
