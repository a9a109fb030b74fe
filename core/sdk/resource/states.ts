import type { ModuleServices } from '../services.js';
import type { AnySpec, Row } from './spec.js';

/** Refuses a change of a resource in a read-only state. @throws invalid_state */
export function refuseReadOnly({ label, transitions }: AnySpec, host: ModuleServices, row: Row): void {
  const state = transitions && (row[transitions.field] as string);
  if (state === undefined || !transitions?.readOnly?.includes(state)) return;
  throw host.problem('invalid_state', {
    detail: `In the state ${state} ${label} is read-only; change its state first.`,
    state,
    allowed: transitions.moves[state] ?? [],
  });
}

/** Refuses an impossible transition. @throws invalid_state, or the module's own problem */
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
