import { expectStatus, type AnyBody, type Session, type TestApp } from './app.js';

export interface Notification extends AnyBody {
  kind: string;
  title: string;
  count: number;
  subject: { kind: string; id: string; type: string | null; name: string | null };
  actor: { id: string; display_name: string } | null;
  fields: string[];
  link: string | null;
  event_id: number | null;
  created_at: string;
  updated_at: string;
  read_at: string | null;
}

/** Waits until the notifications of all changes committed before, on any node, have been created. */
export async function untilNotified({ app: { services } }: TestApp): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const { rows } = await services.events.waiting();
    const { head } = await services.events.bounds(0);
    if (rows === 0 && services.events.head >= head && (await services.feed.behind('notifications')) === 0) return;
    if (performance.now() > deadline) throw new Error('the notifications do not reach the end of the log');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The notifications of a user, the oldest first. */
export async function notificationsOf(
  user: Session,
  query: Record<string, string | number | boolean> = {},
): Promise<Notification[]> {
  return expectStatus(
    await user.api.get<{ items: Notification[] }>('/notifications', {
      query: { page_size: 200, sort_by: 'created_at', sort_dir: 'asc', ...query },
    }),
    200,
    'notifications',
  ).body.items;
}

/** Runs work, waits for its notifications, and returns those of each user as `kind: title`; users without any are absent. */
export async function newNotifications(
  node: TestApp,
  users: Readonly<Record<string, Session>>,
  work: () => Promise<unknown>,
): Promise<Record<string, string[]>> {
  await untilNotified(node);
  const before = new Map<string, Map<string, number>>();
  for (const [name, user] of Object.entries(users))
    before.set(name, new Map((await notificationsOf(user)).map(({ id, version }) => [id, version])));
  await work();
  await untilNotified(node);
  const created: Record<string, string[]> = {};
  for (const [name, user] of Object.entries(users)) {
    const news = (await notificationsOf(user)).filter(({ id, version }) => before.get(name)!.get(id) !== version);
    if (news.length > 0) created[name] = news.map(({ kind, title }) => `${kind}: ${title}`);
  }
  return created;
}
