import t from 'tap';
import { defaultCardTypes, defaultRelationTypes } from '../../../config/metamodel/index.js';
import type { CardTypeDefinition, FieldDefinition } from '../../../core/inventory/metamodel/types.js';

/** The documented model: key | layer | hierarchy / successors | subtypes | fields, with `r` for required and `[w]` for the weight. */
const TYPES = `
Objective|strategy|yes/-|strategic tactical operational|targetDate date, progress number 0..100, kpi text
Platform|strategy|-/yes|digital technical|
Initiative|strategy|yes/yes|idea program project epic|initiativeStatus(onTrack atRisk offTrack onHold completed)[2], businessValue(high medium low), effort(high medium low), costBudget cost 0.., costActual cost 0..[0], startDate date, endDate date
Organization|business|yes/-|businessUnit region legalEntity team customer|headCount number 0..[0], location text[0]
BusinessCapability|business|yes 6/-||isCoreCapability boolean[0], strategicImportance(low medium high critical), maturity(initial managed defined measured optimized)
BusinessContext|business|yes/-|valueStream customerJourney product service esg|maturity(initial managed defined measured optimized)
BusinessProcess|business|yes/yes|category group process variant|processType(core support management) r[2], maturity(initial managed defined measured optimized)[2], automationLevel(manual partial full), riskLevel(low medium high critical), frequency(adHoc daily weekly monthly quarterly yearly continuous), documentationUrl url[0]
Application|application|yes/yes|businessApplication microservice aiAgent deployment|businessCriticality(missionCritical businessCritical businessOperational administrative) r[2], functionalSuitability(perfect appropriate insufficient unreasonable)[2], technicalSuitability(fullyAppropriate adequate inappropriate unreasonable)[2], timeModel(tolerate invest migrate eliminate) r[3], hostingType(onPremise saas paas iaas hybrid), costTotalAnnual cost 0.., numberOfUsers integer 0..[0], productName text[0], commercial boolean[0], hasAiFeatures boolean
Interface|application|-/yes|logical api file event mcpServer|frequency(realTime hourly daily weekly monthly onDemand), dataFormat text[0], protocol text[0]
DataObject|application|yes/yes||dataSensitivity(public internal confidential restricted), isPersonalData boolean, retentionMonths integer 0..[0]
ITComponent|technical|yes/yes|software hardware saas paas iaas service aiModel|technicalSuitability(fullyAppropriate adequate inappropriate unreasonable)[2], resourceClassification(standard phaseIn tolerated phaseOut declined)[2], version text[0], licenseType text[0], costTotalAnnual cost 0.., hasAiFeatures boolean[0]
TechCategory|technical|yes/-||
Provider|technical|yes/-|vendor partner internal|website url[0], contractEnd date[0]`
  .trim()
  .split('\n');

const CRUD = 'create boolean, read boolean, update boolean, delete boolean';

/** Source: targets, each with its fields in braces. */
const RELATIONS = `
Objective: BusinessCapability
Platform: Objective; Application; ITComponent
Initiative: Objective; Platform; BusinessCapability; Application; Interface; DataObject; ITComponent; BusinessProcess
Organization: Objective; Initiative; BusinessContext; ITComponent; Application {usageType(owner user stakeholder)}
Application: BusinessCapability {supportType(leading supporting none)}; BusinessContext; Interface {flowDirection(provides consumes both)}; DataObject {${CRUD}}; ITComponent {costTotalAnnual cost 0..}
Interface: DataObject; ITComponent
ITComponent: TechCategory; Platform
Provider: Initiative; Application; ITComponent
BusinessContext: BusinessCapability
BusinessProcess: BusinessCapability {supportType(leading supporting none)}; Application {usageType(creates reads updates deletes orchestrates)}; DataObject {${CRUD}}; ITComponent; Organization; Initiative; Objective; BusinessContext; BusinessProcess`
  .trim()
  .split('\n');

/** Every element kind of ArchiMate 3.2 except Location, Grouping and the junctions. */
const ARCHIMATE = `
Stakeholder Driver Assessment Goal Outcome Principle Requirement Constraint Meaning Value
Resource Capability ValueStream CourseOfAction
BusinessActor BusinessRole BusinessCollaboration BusinessInterface BusinessProcess BusinessFunction BusinessInteraction
BusinessEvent BusinessService BusinessObject Contract Representation Product
ApplicationComponent ApplicationCollaboration ApplicationInterface ApplicationFunction ApplicationInteraction
ApplicationProcess ApplicationEvent ApplicationService DataObject
Node Device SystemSoftware TechnologyCollaboration TechnologyInterface Path CommunicationNetwork TechnologyFunction
TechnologyProcess TechnologyInteraction TechnologyEvent TechnologyService Artifact
Equipment Facility DistributionNetwork Material
WorkPackage Deliverable ImplementationEvent Plateau Gap`
  .trim()
  .split(/\s+/);

const KEY = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
const COLOR = /^#[0-9a-f]{6}$/;

const typeOf = (key: string): CardTypeDefinition => {
  const found = defaultCardTypes.find((type) => type.key === key);
  if (found === undefined) throw new Error(`no card type ${key}`);
  return found;
};
const fieldsOf = (type: CardTypeDefinition): FieldDefinition[] => type.sections.flatMap((section) => section.fields);
const relationOf = (key: string) => defaultRelationTypes.find((type) => type.key === key);
const repeated = (keys: string[]): string[] => keys.filter((key, i) => keys.indexOf(key) !== i);

/** A field in the notation of the tables above; without weights for relation fields, which are all 0. */
function written(field: FieldDefinition, withWeight = true): string {
  const options = field.options?.map((option) => option.key).join(' ');
  const kind = field.kind === 'single_select' ? `(${options ?? ''})` : ` ${field.kind}`;
  const range = field.min === undefined ? '' : ` ${field.min}..${field.max ?? ''}`;
  const weight = withWeight && field.weight !== 1 ? `[${field.weight}]` : '';
  return `${field.key}${kind}${range}${field.required ? ' r' : ''}${weight}`;
}

/** Fields are compared sorted, because sections may have another order than the table. */
const sorted = (fields: string): string[] => fields.split(', ').filter(Boolean).sort();

await t.test('every card type is as documented', async (t) => {
  t.strictSame(
    defaultCardTypes.map((type) => type.key),
    TYPES.map((row) => row.split('|')[0]),
    'types in order',
  );
  for (const row of TYPES) {
    const [key = '', layer, shape, subtypes, fields = ''] = row.split('|');
    const type = typeOf(key);
    const level = type.max_level === undefined ? '' : ` ${type.max_level}`;
    const successor = defaultRelationTypes.some((r) => r.key.endsWith('Successor') && r.source_type === key);
    t.equal(type.category, layer, `${key}: layer`);
    t.equal(
      `${type.has_hierarchy ? 'yes' : '-'}${level}/${successor ? 'yes' : '-'}`,
      shape,
      `${key}: hierarchy and successors`,
    );
    t.strictSame(
      type.allowed_parent_types,
      type.has_hierarchy ? [key] : [],
      `${key}: a parent has the type of its child`,
    );
    t.equal(type.subtypes.map((subtype) => subtype.key).join(' '), subtypes, `${key}: subtypes`);
    t.strictSame(
      fieldsOf(type)
        .map((field) => written(field))
        .sort(),
      sorted([fields, 'archimateType text[0]'].filter(Boolean).join(', ')),
      `${key}: fields`,
    );
  }
});

await t.test('every relation type is as documented', async (t) => {
  const expected = RELATIONS.flatMap((row) => {
    const [source = '', targets = ''] = row.split(': ');
    return targets.split('; ').map((text) => {
      const [target = '', fields = ''] = text.replace('}', '').split(' {');
      return { source, target, fields: sorted(fields) };
    });
  });
  const plain = defaultRelationTypes.filter((type) => !type.key.endsWith('Successor') && type.key !== 'related');
  t.strictSame(
    plain.map((type) => ({
      source: type.source_type,
      target: type.target_type,
      fields: type.fields.map((field) => written(field, false)).sort(),
    })),
    expected,
    'ends and fields',
  );
  for (const type of plain) {
    t.match(type.key, new RegExp(`^[a-z][A-Za-z]*To${type.target_type}$`), `${type.key}: named after its ends`);
    t.equal(
      type.key.toLowerCase(),
      `${type.source_type}To${type.target_type}`.toLowerCase(),
      `${type.key}: both ends in the key`,
    );
  }
  t.equal(defaultRelationTypes.length, 47, '39 between types, 7 successors, related');
});

await t.test('successor and catch-all relation types', async (t) => {
  const successors = defaultRelationTypes.filter((type) => type.key.endsWith('Successor'));
  t.strictSame(
    successors.map((type) => type.key),
    [
      'platformSuccessor',
      'initiativeSuccessor',
      'businessProcessSuccessor',
      'applicationSuccessor',
      'interfaceSuccessor',
      'dataObjectSuccessor',
      'itComponentSuccessor',
    ],
  );
  for (const type of successors) {
    t.equal(type.source_type, type.target_type, `${type.key}: both ends are of one type`);
    t.strictSame(
      [type.label, type.reverse_label],
      ['succeeds', 'is succeeded by'],
      `${type.key}: the source is the newer`,
    );
  }
  const related = relationOf('related');
  t.match(related, { source_type: '*', target_type: '*', fields: [{ key: 'kind', kind: 'text' }] });
  for (const key of [
    'applicationToBusinessCapability',
    'itComponentToTechCategory',
    'applicationToITComponent',
    'businessProcessToBusinessProcess',
  ]) {
    t.ok(relationOf(key), key);
  }
});

await t.test('keys are unique and safe', async (t) => {
  const types = defaultCardTypes.map((type) => type.key);
  t.strictSame(repeated(types), [], 'card types');
  t.strictSame(repeated(defaultRelationTypes.map((type) => type.key)), [], 'relation types');
  const holders = [
    ...defaultCardTypes.map((type) => ({ key: type.key, fields: fieldsOf(type) })),
    ...defaultRelationTypes.map((type) => ({ key: type.key, fields: type.fields })),
  ];
  for (const { key, fields } of holders) {
    const options = fields.flatMap((field) => field.options ?? []);
    const keys = [key, ...fields.map((field) => field.key), ...options.map((option) => option.key)];
    t.strictSame(
      keys.filter((name) => !KEY.test(name)),
      [],
      `${key}: keys are identifiers`,
    );
    t.strictSame(repeated(fields.map((field) => field.key)), [], `${key}: fields`);
    for (const field of fields)
      t.strictSame(repeated((field.options ?? []).map((option) => option.key)), [], `${key}.${field.key}: options`);
    t.strictSame(
      options.filter((option) => !COLOR.test(option.color ?? '')),
      [],
      `${key}: every option has a colour`,
    );
  }
  for (const type of defaultCardTypes) {
    t.strictSame(repeated(type.subtypes.map((subtype) => subtype.key)), [], `${type.key}: subtypes`);
    t.strictSame(repeated(type.sections.map((section) => section.key)), [], `${type.key}: sections`);
    t.strictSame(repeated(type.stakeholder_roles.map((role) => role.key)), [], `${type.key}: roles`);
    t.ok(type.sections.length > 0, `${type.key}: has a section to add fields to`);
    t.ok(type.icon && type.description && COLOR.test(type.color ?? ''), `${type.key}: icon, colour, description`);
  }
});

await t.test('relation types fit the card types', async (t) => {
  const ends = new Set([...defaultCardTypes.map((type) => type.key), '*']);
  for (const type of defaultRelationTypes) {
    t.ok(ends.has(type.source_type) && ends.has(type.target_type), `${type.key}: both ends exist`);
    t.match(
      type,
      { cardinality: 'n:m', source_mandatory: false, target_mandatory: false, allow_self: false, built_in: true },
      type.key,
    );
    t.ok(type.label && type.reverse_label, `${type.key}: reads in both directions`);
    t.strictSame(
      type.fields.filter((field) => field.weight !== 0 || field.required),
      [],
      `${type.key}: fields are outside the score`,
    );
  }
});

await t.test('stakeholder roles and quality weights', async (t) => {
  const all = [
    'card.edit',
    'card.archive',
    'card.approve',
    'card.manage_stakeholders',
    'card.manage_relations',
    'card.manage_documents',
    'card.manage_comments',
    'card.create_comments',
    'card.view_costs',
  ];
  const editor = ['card.edit', 'card.manage_relations', 'card.manage_documents'];
  const more: Record<string, Record<string, string[]>> = {
    Application: { technical_owner: editor, business_owner: editor },
    BusinessProcess: { process_owner: [...all, 'card.bpm_edit', 'card.bpm_approve'] },
    Initiative: { project_manager: [...all, 'card.ppm_manage'] },
  };
  for (const type of defaultCardTypes) {
    const granted = Object.fromEntries(
      type.stakeholder_roles.map((role) => [
        role.key,
        Object.keys(role.permissions).filter((name) => role.permissions[name] === true),
      ]),
    );
    t.strictSame(
      granted,
      { responsible: all, observer: ['card.create_comments'], ...more[type.key] },
      `${type.key}: roles`,
    );
    t.strictSame(Object.values(type.quality_weights), [1, 1, 1, 1, 1], `${type.key}: weights`);
  }
});

await t.test('labels are words', async (t) => {
  const label = (type: string, field: string) => fieldsOf(typeOf(type)).find((one) => one.key === field)?.label;
  t.strictSame(
    [
      typeOf('ITComponent').label,
      typeOf('BusinessCapability').label,
      label('Application', 'businessCriticality'),
      label('Application', 'costTotalAnnual'),
      label('Application', 'timeModel'),
      label('Application', 'hasAiFeatures'),
      typeOf('Application').stakeholder_roles[2]?.label,
      typeOf('Interface').subtypes[4]?.label,
    ],
    [
      'IT component',
      'Business capability',
      'Business criticality',
      'Total annual cost',
      'TIME model',
      'Has AI features',
      'Technical owner',
      'MCP server',
    ],
  );
  const hosting = fieldsOf(typeOf('Application')).find((field) => field.key === 'hostingType');
  t.strictSame(
    hosting?.options?.map((option) => option.label),
    ['On-premises', 'SaaS', 'PaaS', 'IaaS', 'Hybrid'],
  );
});

await t.test('every ArchiMate element kind has exactly one card type', async (t) => {
  const mapped = defaultCardTypes.flatMap((type) => type.archimate ?? []);
  t.strictSame([...mapped].sort(), [...ARCHIMATE].sort());
  const owner = (kind: string) =>
    defaultCardTypes.filter((type) => type.archimate?.includes(kind)).map((type) => type.key);
  t.strictSame(
    [
      'Capability',
      'Resource',
      'TechnologyService',
      'ApplicationService',
      'BusinessObject',
      'Stakeholder',
      'CourseOfAction',
      'Plateau',
    ]
      .map(owner)
      .flat(),
    [
      'BusinessCapability',
      'ITComponent',
      'ITComponent',
      'Interface',
      'DataObject',
      'Organization',
      'Objective',
      'Platform',
    ],
  );
});

await t.test('the model is plain data', async (t) => {
  const model = { types: defaultCardTypes, relations: defaultRelationTypes };
  t.strictSame(JSON.parse(JSON.stringify(model)), model, 'nothing is lost as JSON');
  const orders = [defaultCardTypes, defaultRelationTypes].map((list) => list.map((type) => type.sort_order));
  for (const order of orders)
    t.strictSame(
      order,
      [...new Set(order)].sort((a, b) => a - b),
      'sort order is strict',
    );
});
