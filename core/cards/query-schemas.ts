import { Type } from 'typebox';
import { PageQuery, SortBy, Strict } from '../http/schemas.js';

const FILTERS = {
  type: Type.Optional(Type.String({ maxLength: 2_000, description: 'Card types, comma separated: any of.', examples: ['Application,ITComponent'] })),
  subtype: Type.Optional(Type.String({ maxLength: 2_000 })),
  status: Type.Optional(Type.String({ maxLength: 100, description: 'ACTIVE (default), ARCHIVED, or both.' })),
  approval_status: Type.Optional(Type.String({ maxLength: 100, description: 'DRAFT, APPROVED, REJECTED, BROKEN.' })),
  parent_id: Type.Optional(Type.String({ maxLength: 8_000, description: 'Children of a card, or `null` for those without a parent.' })),
  root_id: Type.Optional(Type.String({ maxLength: 8_000, description: 'The whole subtree of a card, itself included.' })),
  tag: Type.Optional(Type.String({ maxLength: 8_000 })),
  stakeholder_id: Type.Optional(Type.String({ maxLength: 8_000, description: 'Cards on which the user holds a role; `me` for the caller.' })),
  ids: Type.Optional(Type.String({ maxLength: 8_000 })),
  external_id: Type.Optional(Type.String({ maxLength: 8_000 })),
  updated_since: Type.Optional(Type.String({ format: 'date-time', examples: ['2026-01-15T10:00:00.000Z'] })),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Every word must match: as a word prefix in name, alias, external id or description, or as a part of name or alias.' })),
};

export const CardQuery = Strict({ ...PageQuery, sort_by: SortBy('name', 'type', 'subtype', 'status', 'approval_status', 'data_quality', 'created_at', 'updated_at'), ...FILTERS });
export const ExportQuery = Strict({ format: Type.Optional(Type.String({ enum: ['ndjson'], default: 'ndjson' })), ...FILTERS });
