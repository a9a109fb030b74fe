import { Type } from 'typebox';
import {
  ActorView,
  Nullable,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Uuid,
} from '../../foundation/http/schemas.js';

export const HistoryQuery = Strict({ ...PageQuery, sort_by: SortBy('at') });

export const HistoryPageView = Page(
  Type.Object({
    version: Type.Integer({
      minimum: 1,
      description:
        'The version created by the change; for tags and stakeholders, which do not create versions, the current one.',
    }),
    at: Timestamp(),
    actor: ActorView(),
    origin: Type.String({ description: 'What caused it: api, import, cron, job …', examples: ['api'] }),
    change_id: Uuid({ description: 'The same for all changes made by one request or job.' }),
    request_id: Nullable(Type.String()),
    changes: Type.Array(
      Type.Object({
        field: Type.String({ examples: ['attributes.costTotalAnnual'] }),
        old: Type.Unknown(),
        new: Type.Unknown(),
      }),
      {
        description:
          'One entry per field, attribute and lifecycle phase. Costs are omitted for callers who may not see them.',
      },
    ),
  }),
);
