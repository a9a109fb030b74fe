import { ActorView, Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Type, Uuid } from '@lintel/sdk';

export const HistoryQuery = Strict({ ...PageQuery, sort_by: SortBy('at') });

/** The changes of a part of a plan, as resources show theirs. */
export const HistoryPage = Page(
  Type.Object(
    {
      version: Nullable(Type.Integer({ minimum: 1 })),
      at: Timestamp(),
      type: Type.String(),
      actor: ActorView({ 'x-name': 'PpmHistoryActor' }),
      origin: Type.String({ examples: ['api'] }),
      change_id: Nullable(Uuid()),
      request_id: Nullable(Type.String()),
      changes: Type.Array(
        Type.Object(
          {
            field: Type.String(),
            old: Type.Unknown(),
            new: Type.Unknown(),
            permission: Type.Optional(Type.String()),
          },
          { 'x-name': 'PpmHistoryChange' },
        ),
      ),
    },
    { 'x-name': 'PpmHistoryEntry' },
  ),
);
