import {
  AnyOf,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Type,
  Uuid,
  type Static,
} from '@lintel/sdk';
import { KINDS } from '../basics.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
/** Cards to which one element can be linked. */
export const MOST_LINKS = 50;

export const ElementParams = Strict({ card_id: Uuid(), element_id: Uuid() });
const Link = Type.Object(
  {
    card_id: Uuid(),
    type: Type.String({ examples: ['Application'] }),
    name: Type.String(),
    status: Type.String({ examples: ['ACTIVE'] }),
    is_automatic: Type.Boolean({ description: 'A called process that was found by its id in the file.' }),
  },
  { 'x-name': 'BpmElementLink' },
);
export const ElementView = Type.Object(
  {
    id: Uuid(),
    version_id: Uuid(),
    bpmn_id: Type.String({ description: 'The id in the file.' }),
    position: Type.Integer({ minimum: 1, description: 'In order of sequence flow.' }),
    kind: OneOf(KINDS),
    type: Type.String({ description: 'The name of the element in BPMN.', examples: ['userTask'] }),
    event_definition: Nullable(Type.String({ examples: ['timer'] })),
    name: Nullable(Type.String()),
    documentation: Nullable(Type.String()),
    process_bpmn_id: Nullable(Type.String()),
    parent_bpmn_id: Nullable(Type.String({ description: 'The sub-process or lane that contains it.' })),
    lane_bpmn_id: Nullable(Type.String()),
    called_element: Nullable(Type.String({ description: 'Of a call activity: the id of the called process.' })),
    links_set: Type.Boolean({
      description: 'Whether a user has set the links in this version; others are carried over.',
    }),
    links: Type.Array(Link, { description: 'Linked cards that the caller may see.' }),
    version: Type.Integer({ minimum: 1 }),
    updated_at: Timestamp(),
  },
  {
    'x-name': 'BpmElement',
    examples: [
      {
        id: ID,
        version_id: ID,
        bpmn_id: 'Task_1',
        position: 2,
        kind: 'task',
        type: 'userTask',
        event_definition: null,
        name: 'Check the order',
        documentation: null,
        process_bpmn_id: 'Process_1',
        parent_bpmn_id: null,
        lane_bpmn_id: null,
        called_element: null,
        links_set: true,
        links: [{ card_id: ID, type: 'Application', name: 'Shop', status: 'ACTIVE', is_automatic: false }],
        version: 2,
        updated_at: '2026-01-15T10:00:00.000Z',
      },
    ],
  },
);
export type ElementView = Static<typeof ElementView>;
export const ElementPage = Page(ElementView);
export const ElementQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('position'),
  version_id: Type.Optional(Uuid({ description: 'Default: the published version, otherwise the latest one.' })),
  kind: Type.Optional(AnyOf(KINDS)),
  linked: Type.Optional(Type.Boolean({ description: 'Whether the element has links that the caller may see.' })),
  card_id: Type.Optional(Uuid({ description: 'Linked with this card.' })),
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Every word must occur in the name.' }),
  ),
});
export type ElementQuery = Static<typeof ElementQuery>;
export const LinksBody = Strict(
  {
    links: Type.Array(Strict({ card_id: Uuid() }), {
      maxItems: MOST_LINKS,
      description: 'Replaces the links that the caller sees; others are kept.',
    }),
  },
  { examples: [{ links: [{ card_id: ID }] }] },
);
export type LinksBody = Static<typeof LinksBody>;
