import type { FieldError } from '@lintel/sdk';
import type { Design } from './definition.js';
import type { ChangeSet } from './schemas.js';

type End = ChangeSet['relations'][number]['source'];
type Invalid = Omit<FieldError, 'in'>;

/** References of the cards that a change set creates. */
const INITIATIVE = 'initiative';
const TARGET = 'target';
const MOST_DESCRIPTION = 10_000;
const MOST_TITLE = 100;

/** The title of a requirement: its first sentence or line. */
export function titleOf(requirement: string): string {
  const [first = ''] = requirement.trim().split(/[\n\r]|(?<=[.!?])\s/);
  const plain =
    first
      .replace(/\p{C}+/gu, ' ')
      .replace(/\.$/, '')
      .trim() || 'Requirement';
  return plain.length <= MOST_TITLE ? plain : `${plain.slice(0, MOST_TITLE - 1).trimEnd()}…`;
}

/** The target of an option: the initiative, what it creates or changes, and the capabilities that this supports. */
export function changeSetOf(
  { connections, capabilities, hasInitiative }: Design,
  option: Design['options'][number] | undefined,
  { title, requirement }: { title: string; requirement: string },
): ChangeSet {
  const isNew = option === undefined || option.card_ids.length === 0;
  const ends: Record<string, End[]> = {
    Initiative: hasInitiative ? [{ ref: INITIATIVE }] : [],
    Application: isNew ? [{ ref: TARGET }] : option.card_ids.map((id) => ({ id })),
    BusinessCapability: capabilities.map(({ card_id: id }) => ({ id })),
  };
  return {
    cards: [
      ...(hasInitiative
        ? [{ ref: INITIATIVE, type: 'Initiative', name: title, description: requirement.slice(0, MOST_DESCRIPTION) }]
        : []),
      ...(isNew ? [{ ref: TARGET, type: 'Application', name: title }] : []),
    ],
    relations: connections.flatMap(({ type, source, target }) =>
      (ends[source] ?? []).flatMap((from) => (ends[target] ?? []).map((to) => ({ type, source: from, target: to }))),
    ),
  };
}

/** What is wrong with a change set itself. @param at JSON pointer to it */
export function faultsOf({ cards, relations }: ChangeSet, at: string): Invalid[] {
  const faults: Invalid[] = [];
  const refs = new Set<string>();
  cards.forEach(({ ref }, i) => {
    if (refs.has(ref)) faults.push({ field: `${at}/cards/${i}/ref`, reason: 'is used twice' });
    refs.add(ref);
  });
  const seen = new Set<string>();
  relations.forEach(({ type, source, target }, i) => {
    for (const [side, { ref }] of [
      ['source', source],
      ['target', target],
    ] as const)
      if (ref !== undefined && !refs.has(ref))
        faults.push({ field: `${at}/relations/${i}/${side}/ref`, reason: 'names no card of the change set' });
    const key = JSON.stringify([type, source, target]);
    if (seen.has(key)) faults.push({ field: `${at}/relations/${i}`, reason: 'is listed twice' });
    seen.add(key);
  });
  return faults;
}

/** The existing cards that a change set names, with the fields that name them. */
export function existingCards({ relations }: ChangeSet, at: string): { id: string; field: string }[] {
  return relations.flatMap(({ source, target }, i) =>
    (
      [
        ['source', source.id],
        ['target', target.id],
      ] as const
    ).flatMap(([side, id]) => (id === undefined ? [] : [{ id, field: `${at}/relations/${i}/${side}/id` }])),
  );
}
