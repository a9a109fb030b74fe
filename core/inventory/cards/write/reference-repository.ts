import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';

/** The user or card in a value of kind `user` or `card_reference`. */
export interface Named {
  kind: 'user' | 'card_reference';
  id: string;
}

const MISSING = {
  name: 'references-missing',
  text: `select 'user' as kind, w.id from unnest($1::uuid[]) as w(id) where not exists (select from users u where u.id = w.id)
    union all select 'card_reference', w.id from unnest($2::uuid[]) as w(id) where not exists (select from cards c where c.id = w.id and c.type <> all($3::text[]))`,
};

/** The key distinguishes a user and a card with the same id. */
export const namedKey = ({ kind, id }: Named): string => `${kind} ${id}`;

/** The keys of referenced users and cards that do not exist. @param hiddenTypes card types hidden from the caller */
export async function missing(
  uow: UnitOfWork,
  named: readonly Named[],
  hiddenTypes: readonly string[],
): Promise<Set<string>> {
  const ids = (kind: Named['kind']) => [...new Set(named.filter((r) => r.kind === kind).map((r) => r.id))];
  if (named.length === 0) return new Set();
  return new Set(
    (await uow.query<Named & Record<string, unknown>>(MISSING, [ids('user'), ids('card_reference'), hiddenTypes])).map(
      namedKey,
    ),
  );
}
