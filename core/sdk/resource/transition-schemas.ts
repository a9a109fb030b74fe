import { Type, type TProperties, type TSchema } from 'typebox';
import { Nullable, Strict } from '../schemas.js';
import type { AnyTransitions } from './spec.js';

const State = ({ moves }: AnyTransitions) => Type.String({ enum: Object.keys(moves) });

/** The members of the body of a transition. */
export const transitionMembers = (transitions: AnyTransitions): TProperties => ({
  to: State(transitions),
  ...transitions.body,
});

/** The body of `POST {prefix}/{id}/transition`. */
export function TransitionBody(transitions: AnyTransitions): TSchema {
  const { initial, moves, example = { to: moves[initial]?.[0] ?? initial } } = transitions;
  return Strict(transitionMembers(transitions), { examples: [example] });
}

/** Members of the event of a transition. */
export const Moved = (transitions: AnyTransitions): TProperties => ({
  from: State(transitions),
  to: State(transitions),
  ...transitions.body,
});

/** Members of an entry of the history: the body of a transition; null in other entries. */
export const historyMembers = ({ body = {} }: AnyTransitions): TProperties =>
  Object.fromEntries(
    // A copy of an optional schema is not optional.
    Object.entries(body).map(([name, schema]) => [name, Nullable(Type.Unsafe({ ...schema }))]),
  );
