import type { RelationRights, PlannedRelation } from '../../relations/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { rowErrors } from '../parse/ndjson.js';
import { patchOf, type CardChange } from '../rows/card-verdict.js';
import type { End, RelationCase } from '../rows/relation-verdict.js';
import type { RowVerdict } from '../rows/rows-repository.js';
import type { RelationValues } from '../types.js';

const idOf = (end: End | undefined): string => end?.id ?? '';

/** The change that a row makes; the id `''` is a relation or card that does not exist yet. */
function plannedOf({ match, type, source, target }: RelationCase, { verdict, diff = [] }: RowVerdict): PlannedRelation {
  const before = match && { ...match, type: type!.key, version: match.version };
  const patch = patchOf<RelationValues>(diff as CardChange[]);
  const attributes = { ...(before?.attributes ?? type!.fields.defaults()), ...patch.attributes };
  for (const [key, value] of Object.entries(attributes)) if (value === null) delete attributes[key];
  const pick = (key: 'description' | 'valid_from' | 'valid_to') =>
    patch[key] === undefined ? (before?.[key] ?? null) : patch[key];
  return {
    kind: verdict === 'create' ? 'create' : 'update',
    before,
    after: {
      id: before?.id ?? '',
      type: type!.key,
      source_id: before?.source_id ?? idOf(source),
      target_id: before?.target_id ?? idOf(target),
      source_type: before?.source_type ?? source?.type ?? '',
      target_type: before?.target_type ?? target?.type ?? '',
      attributes,
      description: pick('description'),
      valid_from: pick('valid_from'),
      valid_to: pick('valid_to'),
      version: (before?.version ?? 0) + 1,
    },
    pointer: '',
  };
}

/** Rejects rows whose changes the rules of modules refuse. @param cases of the verdicts, in their order */
export async function refuseByRules(
  uow: UnitOfWork,
  refusals: RelationRights['refusals'],
  cases: readonly RelationCase[],
  verdicts: RowVerdict[],
): Promise<void> {
  const written = verdicts.flatMap(({ verdict }, at) => (verdict === 'create' || verdict === 'update' ? [at] : []));
  const planned = written.map((at) => plannedOf(cases[at]!, verdicts[at]!));
  for (const [n, { errors }] of await refusals(uow, planned)) {
    const at = written[n]!;
    const { n: row, target_id = null } = verdicts[at]!;
    verdicts[at] = { n: row, verdict: 'invalid', target_id, errors: rowErrors(errors) };
  }
}
