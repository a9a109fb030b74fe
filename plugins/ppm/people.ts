import { Nullable, Type, Uuid, type ModuleServices, type Static } from '@lintel/sdk';

/** An id in a pattern. */
export const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** The user who does the work, as views show it. */
export const Assignee = Nullable(
  Type.Object({ id: Uuid(), display_name: Type.String(), is_active: Type.Boolean() }, { 'x-name': 'PpmAssignee' }),
);

/** The assignees of rows, by place; one statement at most. */
export async function assigneesOf(
  host: Pick<ModuleServices, 'users'>,
  rows: readonly { assignee_id: string | null }[],
): Promise<Static<typeof Assignee>[]> {
  const ids = [...new Set(rows.flatMap(({ assignee_id }) => assignee_id ?? []))];
  const users = ids.length > 0 ? await host.users.find(ids) : new Map<string, never>();
  return rows.map(({ assignee_id }) => {
    const user = assignee_id === null ? undefined : users.get(assignee_id);
    return user ? { id: user.id, display_name: user.display_name, is_active: user.is_active } : null;
  });
}
