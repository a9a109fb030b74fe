import { givenOf, type PlannedRelation, type RelationRights } from '../../relations/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { rowErrors } from '../parse/ndjson.js';
import { patchOf, withSet } from '../rows/diff.js';
import type { End, RelationCase } from '../rows/relation-verdict.js';
import type { RowVerdict } from '../rows/rows-repository.js';
import type { RelationValues } from '../types.js';

const idOf = (end: End | undefined): string => end?.id ?? '';

/** The change that a row makes; the id `''` is a relation or card that does not exist yet. */
function plannedOf(
  { input, match, type, source, target }: RelationCase,
  { verdict, diff = [] }: RowVerdict,
): PlannedRelation {
  const before = match && { ...match, type: type!.key, version: match.version };
  const patch = patchOf<RelationValues>(diff);
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
    // As when the row is applied: a new relation gets all values of the row, and another one those that differ.
    given: givenOf(verdict === 'create' ? input : patch),
    pointer: '',
  };
}

/**
 * Calls the rules of modules with the changes of rows: rejects those that they refuse, and adds the values that they set.
 * @param cases of the verdicts, in their order
 */
export async function applyRules(
  uow: UnitOfWork,
  ruled: RelationRights['ruled'],
  cases: readonly RelationCase[],
  verdicts: RowVerdict[],
): Promise<void> {
  const written = verdicts.flatMap(({ verdict }, at) => (verdict === 'create' || verdict === 'update' ? [at] : []));
  const { refused, completed } = await ruled(
    uow,
    written.map((at) => plannedOf(cases[at]!, verdicts[at]!)),
  );
  for (const [n, { changes }] of completed) {
    const verdict = verdicts[written[n]!]!;
    verdict.diff = withSet(verdict.diff ?? [], changes, verdict.verdict === 'create' ? 'create' : 'update');
  }
  for (const [n, { errors }] of refused) {
    const at = written[n]!;
    const { n: row, target_id = null } = verdicts[at]!;
    verdicts[at] = { n: row, verdict: 'invalid', target_id, errors: rowErrors(errors) };
  }
}
