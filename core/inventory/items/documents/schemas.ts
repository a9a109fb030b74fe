import { Type, type Static } from 'typebox';
import { Page, PageQuery, SortBy, Strict, Timestamp, Uuid, OneOf } from '../../../foundation/http/schemas.js';

const LINK_TYPES = [
  'documentation',
  'diagram',
  'contract',
  'repository',
  'website',
  'ticket',
  'monitoring',
  'other',
] as const;

const Name = () =>
  Type.String({
    minLength: 1,
    maxLength: 300,
    pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
    description: 'One line; surrounding blanks are removed.',
    examples: ['Operations manual'],
  });
/** The full URL syntax is checked when it is parsed. */
const Url = () =>
  Type.String({
    maxLength: 2_000,
    pattern: '^[hH][tT][tT][pP][sS]?://[^\\s\\p{Cc}<>"\\\\]+$',
    description: 'http or https, at most 2,000 characters.',
    examples: ['https://wiki.example.org/billing/operations'],
  });
export type LinkType = (typeof LINK_TYPES)[number];
const LinkType = () => OneOf(LINK_TYPES, { description: 'Default documentation.', examples: ['documentation'] });

export const DocumentView = Type.Object({
  id: Uuid(),
  name: Type.String(),
  url: Type.String(),
  link_type: LinkType(),
  created_by: Type.Union([Uuid(), Type.Null()]),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ minimum: 1 }),
});
export type DocumentView = Static<typeof DocumentView>;
export const DocumentPage = Page(DocumentView);

export const DocumentCreate = Strict(
  { name: Name(), url: Url(), link_type: Type.Optional(LinkType()) },
  {
    examples: [
      { name: 'Operations manual', url: 'https://wiki.example.org/billing/operations', link_type: 'documentation' },
    ],
  },
);
export type DocumentCreate = Static<typeof DocumentCreate>;
export const DocumentPatch = Strict(
  { name: Type.Optional(Name()), url: Type.Optional(Url()), link_type: Type.Optional(LinkType()) },
  { minProperties: 1, examples: [{ name: 'Manual of operations' }] },
);
export type DocumentPatch = Static<typeof DocumentPatch>;

export const DocumentParams = Strict({ id: Uuid(), did: Uuid() });
export const DocumentQuery = Strict({ ...PageQuery, sort_by: SortBy('name', 'link_type', 'created_at') });
