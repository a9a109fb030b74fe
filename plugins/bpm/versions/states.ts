import { refusal } from '../errors.js';
import type { Host, State } from '../basics.js';

/** An action on a version. */
export type Action = 'update' | 'delete' | 'submit' | 'withdraw' | 'approve' | 'reject';

/** By state, the actions that are possible in it, and the state that each leads to. */
const ACTIONS: Readonly<Record<State, Partial<Record<Action, State | 'same'>>>> = {
  draft: { update: 'same', delete: 'same', submit: 'pending' },
  pending: { withdraw: 'draft', approve: 'published', reject: 'draft' },
  published: {},
  archived: {},
};

/** The possible actions in a state, in a stable order. */
export const allowedActions = (state: State): Action[] => Object.keys(ACTIONS[state]) as Action[];

/**
 * Requires that an action is possible in a state.
 * @throws invalid_state with the possible actions under `allowed`
 */
export function requireAction(host: Host, state: State, action: Action): void {
  if (Object.hasOwn(ACTIONS[state], action)) return;
  const allowed = allowedActions(state);
  throw host.problem('invalid_state', {
    detail: `A ${state} version does not allow \`${action}\`${allowed.length > 0 ? `, but ${allowed.join(', ')}` : ''}.`,
    state,
    allowed,
  });
}

/** What decides whether a version can be submitted. */
interface Submitted {
  error_count: number;
}

/** Requires that the problems of a flow do not prevent its submission. @throws bpm_problems */
export function requireSound(
  host: Host,
  { error_count }: Submitted,
  problems: readonly Record<string, unknown>[],
): void {
  if (error_count === 0 || !host.settings().block_submit_on_problems) return;
  throw refusal('bpm_problems', {
    detail: `The flow has ${error_count} ${error_count === 1 ? 'problem' : 'problems'} of severity error.`,
    error_count,
    problems,
  });
}

/**
 * Requires that the caller is another user than the submitter, while four eyes are required. The comparison is by user: sessions
 * and roles of the same user do not matter.
 * @throws four_eyes
 */
export function requireFourEyes(host: Host, actorId: string | null, submittedBy: string | null): void {
  if (!host.settings().four_eyes || submittedBy === null || actorId !== submittedBy) return;
  throw host.problem('four_eyes', { detail: 'The user who submitted the version cannot approve or reject it.' });
}
