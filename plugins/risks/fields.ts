import { Nullable, Type, Uuid, type ModuleServices, type Static } from '@lintel/sdk';

/** Of a risk or a mitigation: one line, not blank. */
export const Title = Type.String({ minLength: 1, maxLength: 300, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' });

/** An id in a pattern. */
export const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** The user who owns a risk or a mitigation, as its view shows it. */
export const Owner = Nullable(Type.Object({ id: Uuid(), display_name: Type.String(), is_active: Type.Boolean() }));

/** The owners of rows, by place; one statement at most. */
export async function ownersOf(
  host: Pick<ModuleServices, 'users'>,
  rows: readonly { owner_id: string | null }[],
): Promise<Static<typeof Owner>[]> {
  const ids = [...new Set(rows.flatMap(({ owner_id }) => owner_id ?? []))];
  const users = ids.length > 0 ? await host.users.find(ids) : new Map<string, never>();
  return rows.map(({ owner_id }) => {
    const owner = owner_id === null ? undefined : users.get(owner_id);
    return owner ? { id: owner.id, display_name: owner.display_name, is_active: owner.is_active } : null;
  });
}
