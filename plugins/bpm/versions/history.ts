import {
  ActorView,
  Nullable,
  Page,
  PageQuery,
  Strict,
  Timestamp,
  Type,
  Uuid,
  type LogEvent,
  type PageResult,
  type RequestContext,
  type Static,
} from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { VersionService } from './service.js';

const FieldChange = Type.Object(
  {
    field: Type.String(),
    old: Type.Unknown({ description: 'The value before.' }),
    new: Type.Unknown({ description: 'The value after.' }),
  },
  { 'x-name': 'BpmVersionFieldChange' },
);
const VersionHistoryEntry = Type.Object(
  {
    version: Nullable(Type.Integer({ minimum: 1, description: 'The version of the resource that the change led to.' })),
    at: Timestamp(),
    type: Type.String({ description: 'Type of the event of the change.', examples: ['bpm_version.submitted'] }),
    actor: ActorView(),
    origin: Type.String({ examples: ['api'] }),
    change_id: Nullable(Uuid({ description: 'Groups all changes of one request or job.' })),
    request_id: Nullable(Type.String()),
    comment: Nullable(Type.String({ description: 'Given with a submission, withdrawal or approval.' })),
    reason: Nullable(Type.String({ description: 'Of a rejection.' })),
    changes: Type.Array(FieldChange),
  },
  { 'x-name': 'BpmVersionHistoryEntry' },
);
export type VersionHistoryEntry = Static<typeof VersionHistoryEntry>;
export const VersionHistoryPage = Page(VersionHistoryEntry);
export const VersionHistoryQuery = Strict({ ...PageQuery });
export type VersionHistoryQuery = Static<typeof VersionHistoryQuery>;

/** The history of versions: their events. */
export class VersionHistory {
  constructor(
    private readonly host: Host,
    private readonly versions: VersionService,
  ) {}

  /** The changes of a version, the latest first. @throws not_found */
  async list(
    ctx: RequestContext,
    cardId: string,
    id: string,
    query: VersionHistoryQuery,
  ): Promise<PageResult<VersionHistoryEntry>> {
    const row = await this.versions.find(ctx, cardId, id);
    const page = await this.host.events.history({ kind: 'bpm_version', id: row.id }, query, ctx);
    return { ...page, items: page.items.map(entryOf) };
  }
}

function entryOf({ type, occurred_at, actor, origin, change_id, request_id, data }: LogEvent): VersionHistoryEntry {
  return {
    version: (data['version'] as number | undefined) ?? null,
    at: occurred_at,
    type,
    actor,
    origin,
    change_id,
    request_id,
    comment: (data['comment'] as string | null | undefined) ?? null,
    reason: (data['reason'] as string | undefined) ?? null,
    changes: (data['changes'] as VersionHistoryEntry['changes'] | undefined) ?? [],
  };
}
