import type { Document } from '../../core/foundation/http/openapi-document.js';
import { sql, type Answer, type Session, type TestApp } from './app.js';

/** Prefix of the name and the external id of cards of the hidden type, and of no other text. */
export const MARK = 'zq-hidden';
export const NOWHERE = '01900000-0000-7000-8000-00000000dead';
/** A rule of a role that hides the cards of the type. */
export const HIDES_VAULT = { Vault: { 'cards.view': false } };

export interface HiddenWorld {
  /** Roots of the trees: a hidden card, and a visible one. */
  vault: string;
  desk: string;
  /** Below the hidden root: a visible card with a hidden card in an attribute. */
  below: string;
  /** Below the visible root: a hidden card with a visible one below it, and a visible one. */
  inner: string;
  leaf: string;
  sibling: string;
  /** A relation from the visible root to the hidden card below it, and one between two visible cards. */
  hiddenRelation: string;
  relation: string;
  /** Items of the hidden root, by the segment of their path. */
  items: Record<'stakeholders' | 'comments' | 'documents' | 'todos', string>;
  make(path: string, body: object): Promise<string>;
}

/** Creates cards of two types in one tree, `Vault` to be hidden and `Desk` to be visible, with all items of a card. */
export async function hiddenWorld(admin: Session, holder: Session): Promise<HiddenWorld> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await admin.api.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const fields = [
    { key: 'twin', kind: 'card_reference' },
    { key: 'fee', kind: 'cost' },
    { key: 'note', kind: 'text' },
  ];
  const sections = [{ key: 'main', label: 'Main', fields }];
  for (const key of ['Vault', 'Desk'])
    await make('/metamodel/types', {
      key,
      label: key,
      has_hierarchy: true,
      allowed_parent_types: key === 'Desk' ? ['Vault', 'Desk'] : ['Vault'],
      sections,
    });
  await admin.api.patch('/metamodel/types/Vault', { allowed_parent_types: ['Vault', 'Desk'] });
  await make('/metamodel/relation-types', {
    key: 'touches',
    label: 'touches',
    source_type: '*',
    target_type: '*',
    fields,
  });
  const vault = await make('/cards', { type: 'Vault', name: `${MARK} root`, external_id: `${MARK}-1` });
  const desk = await make('/cards', { type: 'Desk', name: 'Desk root' });
  const inner = await make('/cards', {
    type: 'Vault',
    name: `${MARK} inner`,
    external_id: `${MARK}-2`,
    parent_id: desk,
  });
  const below = await make('/cards', {
    type: 'Desk',
    name: 'Desk below',
    parent_id: vault,
    attributes: { twin: inner, note: 'plain' },
  });
  const leaf = await make('/cards', { type: 'Desk', name: 'Desk leaf', parent_id: inner });
  const sibling = await make('/cards', { type: 'Desk', name: 'Desk sibling', parent_id: desk });
  const hiddenRelation = await make('/relations', {
    type: 'touches',
    source_id: desk,
    target_id: inner,
    attributes: { note: 'x' },
  });
  const relation = await make('/relations', {
    type: 'touches',
    source_id: desk,
    target_id: sibling,
    attributes: { twin: vault, fee: 5 },
  });
  const items = {
    stakeholders: await make(`/cards/${vault}/stakeholders`, { user_id: holder.user.id, role: 'responsible' }),
    comments: await make(`/cards/${vault}/comments`, { body: `${MARK} comment` }),
    documents: await make(`/cards/${vault}/documents`, { name: `${MARK} document`, url: 'https://example.org/' }),
    todos: await make(`/cards/${vault}/todos`, { title: `${MARK} to-do`, assignee_id: holder.user.id }),
  };
  await make(`/cards/${inner}/stakeholders`, { user_id: holder.user.id, role: 'responsible' });
  return { vault, desk, below, inner, leaf, sibling, hiddenRelation, relation, items, make };
}

/** All stored data of hidden cards as one text, which a refused request must not change. */
export async function stored({ database }: Pick<TestApp, 'database'>, { vault, inner }: HiddenWorld): Promise<string> {
  const ids = [[vault, inner]];
  const of = (table: string, condition: string): Promise<unknown[]> =>
    sql(database, `select to_jsonb(t) as row from ${table} t where ${condition} order by 1`, ids);
  return JSON.stringify([
    await of('cards', 'id = any($1::uuid[])'),
    await of('relations', 'source_id = any($1::uuid[]) or target_id = any($1::uuid[])'),
    ...(await Promise.all(
      ['card_stakeholders', 'card_comments', 'card_documents', 'card_todos', 'card_tags'].map((table) =>
        of(table, 'card_id = any($1::uuid[])'),
      ),
    )),
  ]);
}

type Tap = {
  ok(value: unknown, message: string): unknown;
  notOk(value: unknown, message: string): unknown;
  equal(a: unknown, b: unknown, message: string): unknown;
  fail(message: string): unknown;
};

interface Route {
  method: string;
  url: string;
  body: unknown;
}

/** All operations about cards, each to be sent for a hidden and for a nonexistent card. */
export async function matrixOf({ app }: Pick<TestApp, 'app'>, admin: Session, world: HiddenWorld) {
  const document = (await admin.api.get<Document>('/api/openapi.json')).body;

  /** Operations about cards; events and notifications have separate tests. */
  const ABOUT_CARDS = /^\/(cards|relations|todos|imports|metamodel\/types\/:key\/usage|adr|risks)(?=[/.]|$)/;
  const routes: Route[] = app.routeTable
    .map(({ method, url }) => {
      const content =
        document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.requestBody?.content[
          'application/json'
        ];
      return {
        method,
        url: url.replace(/^\/api\/v1/, ''),
        body: content?.example ?? (Object.values(content?.examples ?? {})[0] as { value: unknown } | undefined)?.value,
      };
    })
    .filter(({ url }) => ABOUT_CARDS.test(url));

  /** The id of a hidden item for the parameter of a path. */
  const item = (url: string): string =>
    world.items[/^\/cards\/:id\/(\w+)\/:/.exec(url)?.[1] as keyof typeof world.items] ?? NOWHERE;
  const pathOf = ({ url }: Route, card: string, relation: string): string =>
    url
      .replace(/^\/relations\/:id/, `/relations/${relation}`)
      .replace(/^\/cards\/:id/, `/cards/${card}`)
      .replace(':card_id', card)
      .replace(':key', 'Vault')
      .replace(/:\w+/g, (_name, _at: number, whole: string) => (whole.startsWith('/cards/') ? item(url) : NOWHERE));
  const send = (session: Session, { method, body }: Route, path: string): Promise<Answer> =>
    session.api.send(
      method as 'POST',
      path,
      body === undefined || method === 'GET' || method === 'DELETE' ? undefined : JSON.stringify(body),
      {
        headers:
          body === undefined || method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' },
      },
    );

  const ids = [world.vault, world.inner, world.hiddenRelation, ...Object.values(world.items)];
  /** Members of a response that depend on the request: its path and its request id. */
  function shown(answer: Answer, path: string): string {
    const text = JSON.stringify([answer.body, [...answer.headers]]);
    return ids
      .filter((id) => path.includes(id))
      .reduce((left, id) => left.replaceAll(id, NOWHERE), text)
      .replaceAll(path, '');
  }
  const comparable = ({ status, body }: Answer): string =>
    JSON.stringify([status, body], (key, value: unknown) =>
      ['instance', 'request_id', 'change_id'].includes(key) ? undefined : value,
    );

  /** Sends a request for a hidden card and, unless it is refused before the look-up, for a nonexistent one. */
  async function compare(t: Tap, who: string, session: Session, route: Route): Promise<void> {
    const [there, absent] = [pathOf(route, world.vault, world.hiddenRelation), pathOf(route, NOWHERE, NOWHERE)];
    const about = `${who}: ${route.method} ${route.url}`;
    const answer = await send(session, route, there);
    const text = shown(answer, there);
    t.notOk(
      text.includes(MARK) || ids.some((id) => text.includes(id)),
      `${about} leaves no trace: ${answer.status} ${text.slice(0, 300)}`,
    );
    if (answer.status >= 500) t.fail(`${about} gave ${answer.status}`);
    if (there === absent || answer.status === 403) return;
    const isNamed = !route.url.startsWith('/metamodel');
    if (isNamed)
      t.ok(
        answer.status === 404 || answer.status === 422 || answer.status === 412 || answer.status === 428,
        `${about} gave ${answer.status}`,
      );
    const like = await send(session, route, absent);
    if (isNamed)
      t.equal(
        comparable(answer).replaceAll(world.vault, NOWHERE),
        comparable(like),
        `${about} answers as about what is not there`,
      );
  }
  return { routes, compare, shown, ids };
}
