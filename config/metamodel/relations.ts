import type { FieldDefinition, RelationTypeDefinition } from '../../core/inventory/metamodel/types.js';
import { bool, camelCase, cost, select, text, tone } from './fields.js';

/** Source type, target type, label, reverse label, fields. */
type Row = [source: string, target: string, label: string, reverse: string, fields?: FieldDefinition[]];

const supportType = (): FieldDefinition =>
  select('supportType', { leading: tone.good, supporting: tone.info, none: tone.muted });
const crud = (): FieldDefinition[] => [bool('create'), bool('read'), bool('update'), bool('delete')];

/** One row per relation type; the key is `<source>To<Target>`. */
const rows: Row[] = [
  ['Objective', 'BusinessCapability', 'improves', 'is improved by'],

  ['Platform', 'Objective', 'contributes to', 'is advanced by'],
  ['Platform', 'Application', 'includes', 'is included in'],
  ['Platform', 'ITComponent', 'is built on', 'underlies'],

  ['Initiative', 'Objective', 'pursues', 'is pursued by'],
  ['Initiative', 'Platform', 'changes', 'is changed by'],
  ['Initiative', 'BusinessCapability', 'improves', 'is improved by'],
  ['Initiative', 'Application', 'changes', 'is changed by'],
  ['Initiative', 'Interface', 'changes', 'is changed by'],
  ['Initiative', 'DataObject', 'changes', 'is changed by'],
  ['Initiative', 'ITComponent', 'changes', 'is changed by'],
  ['Initiative', 'BusinessProcess', 'changes', 'is changed by'],

  ['Organization', 'Objective', 'commits to', 'is committed to by'],
  ['Organization', 'Initiative', 'sponsors', 'is sponsored by'],
  ['Organization', 'BusinessContext', 'takes part in', 'involves'],
  ['Organization', 'ITComponent', 'uses', 'is used by'],
  ['Organization', 'Application', 'uses', 'is used by', [select('usageType', ['owner', 'user', 'stakeholder'])]],

  ['Application', 'BusinessCapability', 'supports', 'is supported by', [supportType()]],
  ['Application', 'BusinessContext', 'supports', 'is supported by'],
  [
    'Application',
    'Interface',
    'provides or consumes',
    'is provided or consumed by',
    [select('flowDirection', ['provides', 'consumes', 'both'])],
  ],
  ['Application', 'DataObject', 'processes', 'is processed by', crud()],
  ['Application', 'ITComponent', 'runs on', 'runs', [cost('costTotalAnnual')]],

  ['Interface', 'DataObject', 'transfers', 'is transferred by'],
  ['Interface', 'ITComponent', 'is implemented by', 'implements'],

  ['ITComponent', 'TechCategory', 'belongs to', 'contains'],
  ['ITComponent', 'Platform', 'is offered by', 'offers'],

  ['Provider', 'Initiative', 'supports', 'is supported by'],
  ['Provider', 'Application', 'supplies', 'is supplied by'],
  ['Provider', 'ITComponent', 'supplies', 'is supplied by'],

  ['BusinessContext', 'BusinessCapability', 'relies on', 'enables'],

  ['BusinessProcess', 'BusinessCapability', 'supports', 'is supported by', [supportType()]],
  [
    'BusinessProcess',
    'Application',
    'uses',
    'is used by',
    [select('usageType', ['creates', 'reads', 'updates', 'deletes', 'orchestrates'])],
  ],
  ['BusinessProcess', 'DataObject', 'processes', 'is processed by', crud()],
  ['BusinessProcess', 'ITComponent', 'uses', 'is used by'],
  ['BusinessProcess', 'Organization', 'is carried out by', 'carries out'],
  ['BusinessProcess', 'Initiative', 'is addressed by', 'addresses'],
  ['BusinessProcess', 'Objective', 'serves', 'is served by'],
  ['BusinessProcess', 'BusinessContext', 'is part of', 'comprises'],
  ['BusinessProcess', 'BusinessProcess', 'depends on', 'is a prerequisite of'],
];

/** Types whose cards are replaced by newer ones of the same type. */
const withSuccessors = [
  'Platform',
  'Initiative',
  'BusinessProcess',
  'Application',
  'Interface',
  'DataObject',
  'ITComponent',
];

function relationType(
  key: string,
  [source, target, label, reverse, fields = []]: Row,
): Omit<RelationTypeDefinition, 'sort_order'> {
  return {
    key,
    label,
    reverse_label: reverse,
    source_type: source,
    target_type: target,
    cardinality: 'n:m',
    // Data quality is a score of cards, so fields of relations have no weight.
    fields: fields.map((field) => ({ ...field, weight: 0 })),
    source_mandatory: false,
    target_mandatory: false,
    allow_self: false,
    is_hidden: false,
    built_in: true,
    translations: {},
  };
}

/** All relation types of the default model, in display order. */
export const relationTypes: RelationTypeDefinition[] = [
  ...rows.map((row) => relationType(`${camelCase(row[0])}To${row[1]}`, row)),
  // The source is the newer card: "new succeeds old".
  ...withSuccessors.map((type) =>
    relationType(`${camelCase(type)}Successor`, [type, type, 'succeeds', 'is succeeded by']),
  ),
  // For relationships that fit no other type, mainly from imported models.
  relationType('related', ['*', '*', 'is related to', 'is related to', [text('kind')]]),
].map((type, i) => ({ ...type, sort_order: (i + 1) * 10 }));
