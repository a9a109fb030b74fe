import { DateOnly, LinkedCards, Nullable, OneOf, Timestamp, Type, Uuid, resource } from '@lintel/sdk';
import { refusal } from '../errors.js';
import { Owner, Title, ownersOf } from '../fields.js';
import { MOVES, STATUSES } from '../moves.js';
import { ACCEPT, CARD_MANAGE, MANAGE, VIEW } from '../permissions.js';
import { CARD_ROLES, CATEGORIES, IMPACTS, LEVELS, MaybeOneOf, PROBABILITIES, levelOf } from '../scales.js';
import { FILTERS } from './filters.js';
import { MITIGATIONS, OVERDUE, shareMatrix, takeNumbers } from './repository.js';

export const CARD_ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3c';
export const CardRole = OneOf(CARD_ROLES, {
  description: 'affected: the risk would harm it; contributing: it is a cause; control_owner: it keeps the risk down.',
});
const BY_MATRIX = { description: 'By the matrix of the settings.' };

export const referenceOf = (number: number): string => `R-${String(number).padStart(6, '0')}`;

/** The current day in UTC, YYYY-MM-DD. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** The risk register: the only way to read and write risks. */
export const risks = resource({
  kind: 'risks',
  table: 'risks_register',
  tag: 'risks',
  operation: 'Risk',
  label: 'a risk',
  labels: 'risks',
  permissions: { view: VIEW, manage: MANAGE },
  fields: {
    title: Title,
    category: OneOf(CATEGORIES),
    description: Nullable(Type.String({ maxLength: 50_000, description: 'Markdown.' })),
    initial_probability: MaybeOneOf(PROBABILITIES, { description: 'Before anything is done about it.' }),
    initial_impact: MaybeOneOf(IMPACTS),
    residual_probability: MaybeOneOf(PROBABILITIES, { description: 'Probability after mitigation.' }),
    residual_impact: MaybeOneOf(IMPACTS),
    owner_id: Nullable(Uuid()),
    target_date: Nullable(DateOnly()),
    cards: LinkedCards({ role: CardRole }, { description: 'The cards concerned, each once.' }),
  },
  references: { owner_id: 'user' },
  links: { field: 'cards', table: 'risks_cards', owner: 'risk_id', permission: CARD_MANAGE },
  files: { table: 'risks_files' },
  assigned: {
    status: OneOf(STATUSES),
    initial_level: MaybeOneOf(LEVELS, BY_MATRIX),
    residual_level: MaybeOneOf(LEVELS, BY_MATRIX),
    closed_at: Nullable(Timestamp()),
    number: Type.Integer(),
    rationale: Nullable(Type.String()),
    expires_on: Nullable(DateOnly()),
    accepted_by: Nullable(Uuid()),
    accepted_at: Nullable(Timestamp()),
  },
  hidden: ['number', 'rationale', 'expires_on', 'accepted_by', 'accepted_at'],
  derived: ['number', 'initial_level', 'residual_level'],
  columns: { rationale: 'acceptance_rationale', expires_on: 'acceptance_expires_on' },
  computed: { title_key: ({ title }, host) => host.nameKey(title) },
  shown: {
    reference: Type.String({ description: 'Unique and without gaps.', examples: ['R-000001'] }),
    level: MaybeOneOf(LEVELS, {
      description: 'The residual level, or the initial one if the residual risk is not rated.',
    }),
    owner: Owner,
    is_overdue: Type.Boolean({
      description: 'The target date has passed (UTC) and the risk is not yet mitigated, accepted or closed.',
      examples: [false],
    }),
    acceptance: Nullable(
      Type.Object({
        rationale: Type.String(),
        expires_on: DateOnly(),
        accepted_by: Nullable(Uuid()),
        accepted_at: Timestamp(),
      }),
    ),
    mitigations: Type.Object(
      { total: Type.Integer(), open: Type.Integer(), overdue: Type.Integer() },
      { examples: [{ total: 1, open: 1, overdue: 0 }] },
    ),
  },
  reads: { level: 'r.level', is_overdue: OVERDUE, mitigations: MITIGATIONS },
  reference: ({ number }) => referenceOf(number),
  search: ['title', 'description'],
  filters: FILTERS,
  sorts: {
    reference: { column: 'number', type: 'integer' },
    title: { column: 'title_key', type: 'text' },
    status: { column: 'status_rank', type: 'integer' },
    category: true,
    level: { column: 'level_rank', type: 'integer', nullable: true },
    target_date: true,
  },
  defaultSort: 'reference',
  example: {
    title: 'Unsupported database',
    category: 'technology',
    description: 'The version is out of support since March.',
    initial_probability: 'high',
    initial_impact: 'critical',
    residual_probability: 'medium',
    residual_impact: 'high',
    owner_id: null,
    target_date: '2026-09-30',
    cards: [{ card_id: CARD_ID, role: 'affected' }],
  },
  bulk: { member: 'risk' },
  transitions: {
    field: 'status',
    initial: 'identified',
    moves: MOVES,
    readOnly: ['closed'],
    permissions: { accepted: ACCEPT },
    times: { accepted: 'accepted_at', closed: 'closed_at' },
    body: {
      comment: Type.Optional(Type.String({ maxLength: 5_000 })),
      rationale: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          pattern: '\\S',
          description: 'The reason; required to accept a risk.',
        }),
      ),
      expires_on: Type.Optional(
        Type.String({
          format: 'date',
          description: 'The day on which an acceptance ends, after today (UTC); only for an acceptance.',
        }),
      ),
    },
    example: { to: 'accepted', rationale: 'Replaced by the new platform in autumn.', expires_on: '2031-12-31' },
    description:
      'A transition that is not possible returns 409 `risks_move_refused` with `allowed`. Accepting also requires `risks.accept`, a rationale and the day on which the acceptance ends; on that day the risk returns to in_progress.',
    refused: (details) => refusal('risks_move_refused', details),
    guard({ host, ctx, to, body: { rationale, expires_on } }) {
      const faults: { field: string; reason: string }[] = [];
      const fault = (field: string, reason: string) => faults.push({ field, reason });
      const isAcceptance = to === 'accepted';
      if (isAcceptance && rationale === undefined) fault('/rationale', 'is required where a risk is accepted');
      if (isAcceptance && expires_on === undefined) fault('/expires_on', 'is required where a risk is accepted');
      if (isAcceptance && expires_on !== undefined && expires_on <= today())
        fault('/expires_on', 'must be after today (UTC)');
      if (!isAcceptance && expires_on !== undefined) fault('/expires_on', 'is only for an acceptance');
      if (faults.length > 0) throw host.invalid(...faults);
      return isAcceptance
        ? { rationale: rationale!, expires_on: expires_on!, accepted_by: ctx.actor?.id ?? null }
        : { rationale: null, expires_on: null, accepted_by: null };
    },
  },
  prepare: ({ next }) => ({ title: next.title.trim() }),
  async prepareAll({ uow, rows }) {
    const matrix = await shareMatrix(uow);
    const created = rows.filter(({ before }) => !before).length;
    let number = created > 0 ? await takeNumbers(uow, created) : 0;
    return rows.map(({ before, next }) => ({
      ...(!before && { number: number++ }),
      initial_level: levelOf(matrix, next.initial_probability, next.initial_impact),
      residual_level: levelOf(matrix, next.residual_probability, next.residual_impact),
    }));
  },
  eventData: ({ kind, row }) => (kind === 'transitioned' ? { owner_id: row.owner_id } : {}),
  async present(rows, _ctx, host) {
    const owners = await ownersOf(host, rows);
    return rows.map(({ rationale, expires_on, accepted_by, accepted_at }, i) => ({
      owner: owners[i]!,
      acceptance:
        accepted_at === null ? null : { rationale: rationale!, expires_on: expires_on!, accepted_by, accepted_at },
    }));
  },
});

/** The type of the register for services. */
export type Register = ReturnType<typeof risks.service>;
