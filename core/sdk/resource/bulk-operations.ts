import type { ErrorBudget } from '../bulk.js';
import type { Problem } from '../problem.js';
import type { ModuleServices } from '../services.js';
import type { ResourceOperation, ResourceBulkRow } from './operation.js';
import type { AnySpec, Values } from './spec.js';

/** An operation in the body of a bulk request: also the fields, under the name in the spec, and members of transitions. */
export type ResourceBulkOperation = Values & Pick<ResourceOperation, 'op' | 'ref' | 'id' | 'version'>;

/** An operation of a bulk request, and the problem of one with members of other kinds of operations. */
export interface CheckedOperation {
  operation: ResourceOperation;
  refusal: Problem | undefined;
}

/** Reads an operation of a bulk request. The schema accepts the members of all kinds; here those of other kinds are refused. */
export function checked(
  { bulk, transitions }: AnySpec,
  host: ModuleServices,
  sent: ResourceBulkOperation,
): CheckedOperation {
  const { op, ref, id, version, [bulk!.member]: values, to, ...body } = sent;
  const members: Record<ResourceOperation['op'], readonly string[]> = {
    create: ['ref', bulk!.member],
    update: ['ref', 'id', 'version', bulk!.member],
    transition: ['ref', 'id', 'version', 'to', ...Object.keys(transitions?.body ?? {})],
    delete: ['ref', 'id', 'version'],
  };
  const faults = Object.keys(sent).flatMap((member) =>
    member === 'op' || members[op].includes(member)
      ? []
      : [{ field: `/${member}`, reason: `does not belong to ${op}` }],
  );
  if (id !== undefined && ref !== undefined) faults.push({ field: '/ref', reason: 'cannot be used together with id' });
  if (op === 'update' && values === undefined) faults.push({ field: `/${bulk!.member}`, reason: 'is required' });
  return {
    operation: { op, ref, id, version, values: values as Values | undefined, to: to as string | undefined, body },
    refusal: faults.length > 0 ? host.invalid(...faults) : undefined,
  };
}

/**
 * The row of a refused operation.
 * @param index within its pass
 * @param place index in the bulk request
 */
export function failedRow(
  { bulk }: AnySpec,
  { operation: { op, ref }, refusal }: CheckedOperation,
  index: number,
  place: number,
  problem: Problem,
  budget: ErrorBudget,
): ResourceBulkRow {
  const at = `/operations/${place}`;
  // Without a refusal the errors are about fields of the resource, otherwise about members of the operation.
  const inside = bulk && (op === 'create' || op === 'update') && !refusal ? `${at}/${bulk.member}` : at;
  const isStale = problem.code === 'precondition_failed';
  const isAddress = (field: string): boolean => field === '/id' || field === '/ref';
  const errors =
    problem.errors && problem.errors.length > 0
      ? budget.take(problem.errors).map(({ field, reason }) => ({
          field: isAddress(field) ? `${at}${field}` : `${inside}${field}`,
          reason,
          in: 'body',
        }))
      : [
          {
            field: isStale ? `${at}/version` : at,
            reason: isStale
              ? `is stale: the version is ${String(problem.extensions['current_version'])}`
              : problem.detail,
            in: 'body',
          },
        ];
  return { index, ...(ref !== undefined && { ref }), outcome: 'failed', code: problem.code, errors };
}
