import type { Bindings } from '../../../foundation/db/list-query.js';
import type { Metamodel } from '../../metamodel/index.js';
import { ownCostsSql, type CardVisibility } from '../../access/index.js';
import { LIFECYCLE_PHASES, type LifecyclePhase } from '../types.js';

/**
 * SQL of the phase of the card `c`: the last one that has begun; null for none. As `lifecyclePhase` for views.
 * @param today SQL of the UTC day as text, YYYY-MM-DD
 * @param shown SQL of the value for a phase; its key where absent
 */
export function phaseSql(today: string, shown: (phase: LifecyclePhase) => string = (phase) => `'${phase}'`): string {
  const phases = [...LIFECYCLE_PHASES]
    .reverse()
    .map((phase) => `case when c.lifecycle->>'${phase}' collate "C" <= ${today} then ${shown(phase)} end`);
  return `case when c.lifecycle = '{}' then null else coalesce(${phases.join(', ')}) end`;
}

/**
 * SQL of the score of `c` that is shown to the reader: without costs where the reader may not see them, and the basic one
 * where something else that counts may be hidden.
 * @param types card types of the list; all where absent
 */
export function qualitySql(
  { types: known }: Metamodel,
  types: readonly string[] | undefined,
  visibility: CardVisibility,
  bindings: Bindings,
): string {
  const isListed = (type: string): boolean => types === undefined || types.includes(type);
  const basic = [...visibility.basicScoreTypes].filter(isListed);
  if (basic.length === 0) return openQualitySql(known, isListed, visibility, bindings);
  if (basic.length === [...known.keys()].filter(isListed).length) return 'c.basic_quality';
  const condition = `c.type = any(${bindings.add(basic)}::text[])`;
  return `(case when ${condition} then c.basic_quality else ${openQualitySql(known, isListed, visibility, bindings)} end)`;
}

/** The same without regard to what is hidden besides costs. */
function openQualitySql(
  known: Metamodel['types'],
  isListed: (type: string) => boolean,
  visibility: CardVisibility,
  bindings: Bindings,
): string {
  const closed = [...visibility.costRedactedTypes].filter(isListed);
  if (closed.length === 0) return 'c.data_quality';
  const open = [...known.values()]
    .filter(({ key, fields }) => isListed(key) && fields.costKeys.size > 0 && !visibility.costRedactedTypes.has(key))
    .map(({ key }) => key);
  const own = ownCostsSql(visibility, bindings);
  const full = [
    ...(own === undefined ? [] : [`c.type = any(${bindings.add(closed)}::text[]) and ${own}`]),
    ...(open.length === 0 ? [] : [`c.type = any(${bindings.add(open)}::text[])`]),
  ];
  if (full.length === 0) return 'c.open_quality';
  const any = full.map((condition) => `(${condition})`).join(' or ');
  return `(case when ${any} then c.data_quality else c.open_quality end)`;
}
