import { isInvertible } from '../transforms/index.js';
import { compileExpression } from '../transforms/expression.js';
import { MappingFault } from '../transforms/values.js';
import type { FieldMap, Mapping, Transform } from './definition.js';
import type { Metamodel, Target } from './metamodel.js';
import { isCron, isTimeZone } from './schedule.js';

export interface Fault {
  field: string;
  reason: string;
}
export type Checked = Pick<
  Mapping,
  | 'card_type'
  | 'direction'
  | 'fields'
  | 'identity'
  | 'relations'
  | 'schedule'
  | 'time_zone'
  | 'runs_as'
  | 'creates_remote'
>;

/** The members of each kind of transform. */
const MEMBERS: Record<Transform['kind'], readonly [required: readonly string[], optional: readonly string[]]> = {
  direct: [[], []],
  value_map: [['values'], ['otherwise']],
  date: [[], ['format']],
  boolean: [[], ['true_values']],
  number: [[], ['factor', 'decimals']],
  template: [['template'], []],
  expression: [['expression'], []],
};

/** Expressions of one mapping: each takes about a millisecond to be checked. */
const MOST_EXPRESSIONS = 50;

/** @returns every invalid field of a mapping, as JSON pointers */
export function mappingFaults(mapping: Checked, metamodel: Metamodel): Fault[] {
  const type = metamodel.types.get(mapping.card_type);
  if (mapping.fields.filter(({ transform }) => transform.kind === 'expression').length > MOST_EXPRESSIONS)
    return [{ field: '/fields', reason: `must have at most ${MOST_EXPRESSIONS} expressions` }];
  return [
    ...(type ? [] : [{ field: '/card_type', reason: 'names no card type' }]),
    ...mapping.fields.flatMap((map, i) => fieldFaults(map, `/fields/${i}`, type?.targets)),
    ...twice(
      mapping.fields.map(({ target }) => target),
      '/fields',
      'target',
    ),
    ...(mapping.direction === 'push' || mapping.fields.some(({ target }) => target === 'name')
      ? []
      : [{ field: '/fields', reason: 'must map the target name, without which no card can be created' }]),
    ...identityFaults(mapping),
    ...relationFaults(mapping, metamodel),
    ...scheduleFaults(mapping),
    ...(mapping.creates_remote && mapping.direction === 'pull'
      ? [{ field: '/creates_remote', reason: 'needs the direction push or both' }]
      : []),
  ];
}

/** One fault for each name that an earlier one of the list has too. */
const twice = (names: readonly string[], list: string, member: string): Fault[] =>
  names.flatMap((name, i) =>
    names.indexOf(name) < i ? [{ field: `${list}/${i}/${member}`, reason: 'is mapped more than once' }] : [],
  );

function fieldFaults(map: FieldMap, at: string, targets: ReadonlyMap<string, Target> | undefined): Fault[] {
  const { source, target, owner, transform } = map;
  const known = targets?.get(target);
  const faults = transformFaults(transform, `${at}/transform`);
  const isComputed = transform.kind === 'template' || transform.kind === 'expression';
  if (source === '' && !isComputed) faults.push({ field: `${at}/source`, reason: 'is required' });
  if (targets && !known) faults.push({ field: `${at}/target`, reason: 'is not a field of the card type' });
  if (known?.kind === 'id')
    faults.push({ field: `${at}/target`, reason: 'references users or cards, which cannot be mapped' });
  // An invalid transform has its own faults.
  if (owner === 'ea' && faults.length === 0 && !isInvertible(transform))
    faults.push({
      field: `${at}/owner`,
      reason: 'cannot be ea, because the transform cannot write a value back to the other system',
    });
  if (known && transform.kind === 'value_map') faults.push(...valueFaults(transform, known, `${at}/transform`));
  return faults;
}

function transformFaults(transform: Transform, at: string): Fault[] {
  const [required, optional] = MEMBERS[transform.kind];
  const faults = [
    ...required
      .filter((member) => !(member in transform))
      .map((member) => ({ field: `${at}/${member}`, reason: 'is required' })),
    ...Object.keys(transform)
      .filter((member) => member !== 'kind' && !required.includes(member) && !optional.includes(member))
      .map((member) => ({ field: `${at}/${member}`, reason: `does not belong to ${transform.kind}` })),
  ];
  if (transform.kind === 'number' && transform.factor === 0)
    faults.push({ field: `${at}/factor`, reason: 'must not be 0' });
  if (transform.kind === 'expression' && faults.length === 0) {
    try {
      compileExpression(transform.expression);
    } catch (error) {
      if (!(error instanceof MappingFault)) throw error;
      faults.push({ field: `${at}/expression`, reason: error.message });
    }
  }
  return faults;
}

function valueFaults(
  { values = {}, otherwise }: Partial<Extract<Transform, { kind: 'value_map' }>>,
  { kind, options }: Target,
  at: string,
): Fault[] {
  const isOption = kind === 'option' || kind === 'options';
  const reason = (value: unknown): string | undefined => {
    if (value === null || value === undefined) return undefined;
    if (isOption && !options.includes(String(value))) return 'is not an option of the field';
    if (kind === 'number' && typeof value !== 'number') return 'must be a number';
    return kind === 'boolean' && typeof value !== 'boolean' ? 'must be true or false' : undefined;
  };
  const entries: [string, unknown][] = [
    ...Object.entries(values).map(([key, value]): [string, unknown] => [
      `${at}/values/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      value,
    ]),
    [`${at}/otherwise`, otherwise],
  ];
  return entries.flatMap(([field, value]) => {
    const wrong = reason(value);
    return wrong === undefined ? [] : [{ field, reason: wrong }];
  });
}

function identityFaults({ fields, identity }: Checked): Fault[] {
  const mapped = new Set(['external_id', 'name', ...fields.map(({ target }) => target)]);
  return [
    ...identity.flatMap(({ target }, i) =>
      mapped.has(target) ? [] : [{ field: `/identity/${i}/target`, reason: 'is not among the mapped targets' }],
    ),
    ...twice(
      identity.map(({ target }) => target),
      '/identity',
      'target',
    ),
  ];
}

function relationFaults({ card_type, relations }: Checked, { types, relationTypes }: Metamodel): Fault[] {
  const isParent = relations.map(({ relation_type }) => relation_type === 'parent');
  return [
    ...twice(
      relations.map(({ key }) => key),
      '/relations',
      'key',
    ),
    ...relations.flatMap(({ relation_type, card_end }, i) => {
      const fault = (member: string, reason: string): Fault[] => [{ field: `/relations/${i}/${member}`, reason }];
      if (isParent[i]) {
        if (isParent.indexOf(true) < i) return fault('relation_type', 'is parent more than once');
        if (types.get(card_type)?.hasHierarchy === false)
          return fault('relation_type', 'must not be parent: cards of this type have none');
        return card_end === 'source' ? [] : fault('card_end', 'must be source for parent');
      }
      const type = relationTypes.get(relation_type);
      if (!type) return fault('relation_type', 'names no relation type');
      const end = card_end === 'source' ? type.sourceType : type.targetType;
      return end === '*' || end === card_type ? [] : fault('card_end', `is of the card type ${end}`);
    }),
  ];
}

function scheduleFaults({ schedule, time_zone, runs_as }: Checked): Fault[] {
  const faults: Fault[] = [];
  if (!isTimeZone(time_zone)) faults.push({ field: '/time_zone', reason: 'is not a time zone of IANA' });
  if (schedule !== null && !isCron(schedule))
    faults.push({ field: '/schedule', reason: 'is not a cron expression of five fields' });
  if (schedule !== null && runs_as === null) faults.push({ field: '/runs_as', reason: 'is required for a schedule' });
  return faults;
}
