import {
  ActorView,
  AnyOf,
  Nullable,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Type,
  Uuid,
  type BulkAnswer,
  type ResourceBulkRow,
  type Static,
} from '@lintel/sdk';
import { CARD_ROLES } from '../scales.js';
import { CARD_ID, CardRole, type Register } from './resource.js';

export type RiskView = Awaited<ReturnType<Register['get']>>;
export type RiskCreate = Parameters<Register['create']>[1];
export type BulkView = BulkAnswer<ResourceBulkRow>;

export const CardLinkInput = Strict(
  { card_id: Uuid(), role: CardRole },
  { examples: [{ card_id: CARD_ID, role: 'affected' }] },
);
export type CardLinkInput = Static<typeof CardLinkInput>;
export const CardRoleInput = Strict({ role: CardRole }, { examples: [{ role: 'contributing' }] });

export const CardLinkView = Type.Object(
  {
    card_id: Uuid(),
    role: CardRole,
    card: Type.Object({
      id: Uuid(),
      type: Type.String(),
      name: Type.String(),
      status: Type.String({ enum: ['ACTIVE', 'ARCHIVED'] }),
    }),
    risk_id: Uuid(),
    version: Type.Integer({ minimum: 1, description: 'Version of the risk, of which the link is a part.' }),
  },
  {
    examples: [
      {
        card_id: CARD_ID,
        role: 'affected',
        card: { id: CARD_ID, type: 'Application', name: 'Billing', status: 'ACTIVE' },
        risk_id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
        version: 2,
      },
    ],
  },
);
export type CardLinkView = Static<typeof CardLinkView>;
export const CardLinkPage = Page(CardLinkView);
export const CardLinkQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('role', 'card_id'),
  role: Type.Optional(AnyOf(CARD_ROLES)),
});
export type CardLinkQuery = Static<typeof CardLinkQuery>;
export const CardLinkParams = Strict({ id: Uuid(), card_id: Uuid() });

export const HistoryQuery = Strict({ ...PageQuery, sort_by: SortBy('at') });
export const HistoryPage = Page(
  Type.Object({
    version: Nullable(
      Type.Integer({ minimum: 1, description: 'The version the change led to; of a deletion, the last one.' }),
    ),
    at: Timestamp(),
    type: Type.String({ description: 'Type of the event of the change.' }),
    actor: ActorView(),
    origin: Type.String({ examples: ['api'] }),
    change_id: Nullable(Uuid({ description: 'Groups all that one request or job changed.' })),
    request_id: Nullable(Type.String()),
    comment: Nullable(Type.String()),
    rationale: Nullable(Type.String()),
    changes: Type.Array(Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() })),
  }),
);
export type HistoryEntry = Static<typeof HistoryPage>['items'][number];
