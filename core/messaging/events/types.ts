import type { TSchema } from '@lintel/sdk';
import { CORE_TYPES } from './catalogue.js';
import type { EventVisibility } from './visibility.js';

/** An entry of the catalogue of event types. */
export interface EventTypeView {
  /** A type, or the prefix of all types of a kind whose types are not declared, such as `votes.`. */
  type: string;
  /** Kind of the subject. */
  kind: string;
  /** The module that emits it; null for the core. */
  module: string | null;
  /** The permission to receive it; null where it depends on the event. */
  permission: string | null;
  /** Null for types of modules, which describe them by their schema. */
  description: string | null;
  /** JSON Schema of `data`; later versions may add members. */
  data: object;
}

/** Types of the core whose kind is not their first word. */
const KINDS: Readonly<Record<string, string>> = { 'secrets.rotated': 'secret' };
const ANY: TSchema = { type: 'object' };

/** Every event type of the core and of the installed modules, also of disabled ones, whose events remain in the log. */
export function eventTypes(visibility: EventVisibility): EventTypeView[] {
  const rules = visibility.rules;
  const permissionOf = (kind: string): string | null => {
    const permission = rules.get(kind)?.permission;
    return typeof permission === 'string' ? permission : null;
  };
  const core = Object.entries(CORE_TYPES).map(([type, { description, data }]): EventTypeView => {
    const kind = KINDS[type] ?? type.split('.')[0]!;
    return { type, kind, module: null, permission: permissionOf(kind), description, data };
  });
  const ofModules = [...rules].flatMap(([kind, { module, types }]) =>
    module === undefined
      ? []
      : Object.entries(types ?? { [`${kind}.`]: ANY }).map(
          ([type, data]): EventTypeView => ({
            type,
            kind,
            module,
            permission: permissionOf(kind),
            description: (data as { description?: string }).description ?? null,
            data,
          }),
        ),
  );
  return [...core, ...ofModules];
}
