import {
  HIDDEN_CARD,
  Nullable,
  OneOf,
  resource,
  Type,
  Uuid,
  withHiddenCards,
  withoutHiddenCards,
  type RequestContext,
} from '@lintel/sdk';
import type { ReportsHost } from '../host.js';
import { MANAGE, SHARE, VIEW } from '../permissions.js';
import { sees, seenSql, unknownAmong, VISIBILITIES, type Owned } from './audience-repository.js';
import { faultsOf } from './parameters.js';

/** Id of no user: events of private reports without an owner are visible to none. */
const NO_USER = '00000000-0000-0000-0000-000000000000';

/** How many a user may have: also users who may only see reports save own ones. */
const MOST_SAVED = 500;

const SharedWith = Type.Object(
  {
    users: Type.Array(Uuid(), { maxItems: 200, uniqueItems: true }),
    roles: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' }), { maxItems: 100, uniqueItems: true }),
  },
  {
    additionalProperties: false,
    default: { users: [], roles: [] },
    description: 'Who sees it besides the owner, if its visibility is shared.',
  },
);

/** Refuses changes by users who see a report but do not own it. @throws forbidden */
function requireOwner(host: ReportsHost, ctx: RequestContext, { created_by }: Pick<Owned, 'created_by'>): void {
  // Without a user, the module itself removes reports of deleted users.
  if (ctx.actor === null || ctx.actor.id === created_by || ctx.permissions.has(MANAGE)) return;
  throw host.problem('forbidden', {
    detail: `Only its owner may change it, or a user with the permission ${MANAGE}.`,
    required_permission: MANAGE,
  });
}

/** Saved reports: the only way to read and write them. */
export const saved = resource({
  kind: 'reports_saved',
  table: 'reports_saved',
  tag: 'reports',
  operation: 'SavedReport',
  label: 'a saved report',
  labels: 'saved reports',
  // Everyone who sees reports saves own ones; `prepare` decides about those of others.
  permissions: { view: VIEW, manage: VIEW },
  bounds: [{ per: ['created_by'], most: MOST_SAVED }],
  audience: {
    sql: seenSql,
    sees: (ctx, row) => sees(ctx, row as Owned),
    // It may have been private before.
    seesHistory: ({ actor }, { created_by }) => actor !== null && actor.id === created_by,
  },
  fields: {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' }),
    description: Nullable(Type.String({ maxLength: 2_000 })),
    report: Type.String({
      pattern: '^[a-z][a-z0-9_.-]{0,99}$',
      description: 'The id of a report of the catalogue.',
    }),
    parameters: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      properties: {},
      additionalProperties: Type.Union([
        Type.String({ maxLength: 8_000 }),
        Type.Number(),
        Type.Boolean(),
        // Removes a parameter in a merge patch.
        Type.Null(),
      ]),
      maxProperties: 100,
      default: {},
      description: `The query of the report, without \`format\`, \`width\` and \`theme\`. Instead of a card hidden from the reader it has \`${HIDDEN_CARD}\`, with which the result is computed, too; who sends that back keeps the card.`,
    }),
    visibility: OneOf(VISIBILITIES, {
      default: 'private',
      description: `private: only the owner sees it; shared: also those in \`shared_with\`; public: everyone who sees reports; requires \`${SHARE}\`.`,
    }),
    shared_with: SharedWith,
  },
  assigned: { was_hidden: Type.Boolean({ default: false }) },
  hidden: ['was_hidden'],
  derived: ['was_hidden'],
  shown: {
    owner: Nullable(
      Type.Object(
        { id: Uuid(), display_name: Type.String() },
        { description: 'The user who created it; null if the account was deleted.' },
      ),
    ),
  },
  computed: { name_key: ({ name }, host) => host.nameKey(name) },
  search: ['name', 'description'],
  filters: {
    report: 'any',
    visibility: 'any',
    owner: {
      schema: Type.String({
        pattern: '^(me|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
        description: 'The id of a user, or `me`.',
      }),
      sql: (owner, bind, alias, { ctx }) =>
        `${alias}.created_by = ${bind(owner === 'me' ? (ctx.actor?.id ?? NO_USER) : owner)}::uuid`,
    },
  },
  sorts: { name: { column: 'name_key', type: 'text' }, report: true, visibility: true },
  defaultSort: 'name',
  example: {
    name: 'Critical applications by quality',
    description: null,
    report: 'portfolio',
    parameters: { type: 'Application', x: 'lifecycle_phase', y: 'data_quality' },
    visibility: 'private',
    shared_with: { users: [], roles: [] },
  },
  async prepare({ host, uow, ctx, before, next: sent }) {
    const next = { ...sent, parameters: withHiddenCards(before?.parameters, sent.parameters) };
    if (before) requireOwner(host as ReportsHost, ctx, before);
    const isPublished = next.visibility === 'public' && before?.visibility !== 'public';
    if (isPublished && !ctx.permissions.has(SHARE))
      throw host.problem('forbidden', {
        detail: `The permission ${SHARE} is required to make a report public.`,
        required_permission: SHARE,
      });
    const users = [...new Set(next.shared_with.users.map((id) => id.toLowerCase()))];
    const isSame = (key: 'report' | 'parameters' | 'shared_with') =>
      before !== undefined && JSON.stringify(before[key]) === JSON.stringify(next[key]);
    const faults =
      isSame('report') && isSame('parameters') ? [] : faultsOf(host as ReportsHost, ctx, next.report, next.parameters);
    if (!isSame('shared_with')) {
      // Those who left since may remain in the list.
      const added = {
        users: users.filter((id) => !before?.shared_with.users.includes(id)),
        roles: next.shared_with.roles.filter((key) => !before?.shared_with.roles.includes(key)),
      };
      const unknown = await unknownAmong(uow, added);
      for (const id of unknown.users)
        faults.push({ field: `/shared_with/users/${users.indexOf(id)}`, reason: 'names no active user' });
      for (const key of unknown.roles)
        faults.push({ field: `/shared_with/roles/${next.shared_with.roles.indexOf(key)}`, reason: 'names no role' });
    }
    if (faults.length > 0) throw host.invalid(...faults);
    return {
      parameters: next.parameters,
      shared_with: { ...next.shared_with, users },
      was_hidden: before !== undefined && before.visibility !== 'public',
    };
  },
  removing({ host, ctx, before }) {
    if (before) requireOwner(host as ReportsHost, ctx, before);
  },
  /** The event of a report that is or was not public before has values that only its owner may see. */
  eventData: ({ kind, row }) => ({
    only: row.visibility === 'public' && !(kind === 'updated' && row.was_hidden) ? null : (row.created_by ?? NO_USER),
  }),
  async present(rows, ctx, host) {
    const owners = await host.users.find([...new Set(rows.flatMap(({ created_by }) => created_by ?? []))]);
    const parameters = await withoutHiddenCards(
      host.cards,
      ctx,
      rows.map((row) => row.parameters),
    );
    return rows.map(({ created_by }, i) => {
      const owner = created_by === null ? undefined : owners.get(created_by);
      return {
        parameters: parameters[i]!,
        owner: owner ? { id: owner.id, display_name: owner.display_name } : null,
      };
    });
  },
});

export type SavedReports = ReturnType<typeof saved.service>;

/** Events are personal, except those of public reports. */
export const SAVED_EVENTS = {
  ...saved.events,
  cards: 'none' as const,
  only: 'only',
  types: Object.fromEntries(
    Object.entries(saved.events.types).map(([type, data]) => [
      type,
      {
        ...data,
        properties: {
          ...(data as { properties?: object }).properties,
          only: Nullable(Uuid({ description: 'The only user who receives the event; null: all who see reports.' })),
        },
      },
    ]),
  ),
};
