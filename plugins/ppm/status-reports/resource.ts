import { DateOnly, Nullable, OneOf, Type, Uuid, resource } from '@lintel/sdk';
import { initiativesAmong } from '../basics.js';
import { CARD_MANAGE, MANAGE, VIEW } from '../permissions.js';

export const HEALTH = ['on_track', 'at_risk', 'off_track'] as const;
const Health = (description: string) => OneOf(HEALTH, { description });
const Text = (description: string) => Nullable(Type.String({ maxLength: 20_000, description }));

/** The state of an initiative at a date, as the author of the report judges it. */
export const statusReports = resource({
  kind: 'ppm_status_report',
  table: 'ppm_status_reports',
  tag: 'ppm',
  operation: 'PpmStatusReport',
  label: 'a status report of an initiative',
  labels: 'status reports of an initiative',
  permissions: { view: VIEW, manage: MANAGE },
  card: { field: 'card_id', permission: CARD_MANAGE },
  fixed: ['card_id'],
  bounds: [{ per: ['card_id'], most: 5_000 }],
  fields: {
    card_id: Uuid({ description: 'The initiative.' }),
    report_date: DateOnly(),
    schedule_health: Health('Dates.'),
    cost_health: Health('Costs; a judgement, not a figure.'),
    scope_health: Health('What is delivered.'),
    percent_complete: Nullable(Type.Integer({ minimum: 0, maximum: 100, description: 'As estimated.' })),
    summary: Text('Markdown.'),
    accomplishments: Text('Markdown.'),
    next_steps: Text('Markdown.'),
  },
  references: { card_id: initiativesAmong },
  filters: { report_date: 'range', schedule_health: 'any', cost_health: 'any', scope_health: 'any' },
  sorts: { report_date: true },
  defaultSort: 'report_date',
  defaultDir: 'desc',
  example: {
    card_id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
    report_date: '2026-03-31',
    schedule_health: 'at_risk',
    cost_health: 'on_track',
    scope_health: 'on_track',
    percent_complete: 45,
    summary: 'The migration takes longer than planned.',
    accomplishments: 'The new database runs.',
    next_steps: 'Move the remaining customers.',
  },
});
export type StatusReports = ReturnType<typeof statusReports.service>;
