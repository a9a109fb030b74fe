import type { ModuleServices } from '../services.js';
import type { AnySpec, Row } from './spec.js';

/** @throws invalid_state where the state of a resource is read-only */
export function refuseReadOnly({ label, transitions }: AnySpec, host: ModuleServices, row: Row): void {
  const state = transitions && (row[transitions.field] as string);
  if (state === undefined || !transitions?.readOnly?.includes(state)) return;
  throw host.problem('invalid_state', {
    detail: `In the state ${state} ${label} is read-only; move it first.`,
    state,
    allowed: transitions.moves[state] ?? [],
  });
}

/** @throws invalid_state, or the module's own problem, where no transition leads from one state to the other */
export function requireTransition(
  { label, transitions }: AnySpec,
  host: ModuleServices,
  from: string,
  to: string,
): void {
  const allowed = transitions?.moves[from] ?? [];
  if (allowed.includes(to)) return;
  const detail = `From ${from} ${label} goes to ${allowed.join(' or ') || 'no other state'}, not to ${to}.`;
  throw (
    transitions?.refused?.({ detail, from, to, allowed }) ??
    host.problem('invalid_state', { detail, state: from, to, allowed })
  );
}
