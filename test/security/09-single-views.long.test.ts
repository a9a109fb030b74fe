/**
 * Every GET of the core and of all modules, by a user who has all permissions but one to see something: no answer contains anything of
 * that kind. The routes are those of the service, so that a new one takes part without being named here, or fails for want of values.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import t from 'tap';
import type { Document } from '../../core/foundation/http/openapi-document.js';
import { expectStatus, makeUser, registerAdmin, testApp, until, type Session } from '../support/app.js';
import { plantViews } from '../support/planted-views.js';

const test = await testApp();
const { app, origin, close } = test;
t.teardown(close);
const admin = await registerAdmin(origin);
const all = app.services.permissions.list().map(({ key }) => key);
const give = async (permissions: readonly string[]): Promise<void> => {
  expectStatus(await admin.api.patch('/roles/single', { permissions }), 200, 'the permissions of the role');
};
expectStatus(await admin.api.post('/roles', { key: 'single', label: 'Single', permissions: all }), 201, 'a role');
const reader = await makeUser(admin, 'single');
const { marks, near, far, farName, holder, values } = await plantViews(test, admin, reader);

/** Required parameters, and calls that are more than the path. */
const QUERIES: Record<string, string[]> = {
  '/cards': ['expand=relations,parent,children,stakeholders', `related_to=${near}`, `related_root_id=${near}`],
  '/cards/:id': ['expand=relations,parent,children,stakeholders'],
  '/cards/facets': [`related_to=${near}`],
  '/cards/:id/impact': ['direction=both&depth=3'],
  '/relations': ['expand=source_card,target_card'],
  '/relations/:id': ['expand=source_card,target_card'],
  '/roles/explain': [`user_id=${reader.user.id}&permission=cards.edit&card_id=${near}`],
  '/events': ['page_size=200', `subject_id=${near}`],
  '/imports/:id/rows': ['page_size=200'],
  '/reports/portfolio': ['type=Application&x=businessCriticality&y=data_quality'],
  '/reports/cost': ['field=attributes.costTotalAnnual'],
  '/reports/matrix': ['relation_type=applicationToITComponent&row_type=Application&col_type=ITComponent'],
  '/reports/landscape': ['type=Application&parent_type=ITComponent'],
  '/reports/lifecycle': ['type=Application'],
  '/reports/dependencies': [`card_id=${near}&direction=both`, 'type=Application'],
  '/diagrams/:id/diff': ['with=1'],
  '/bpm/processes/:card_id/flow/versions/:version_id/diff': [
    `with=${values['/bpm/processes/:card_id/flow/versions/:version_id']}`,
  ],
  '/soaw/:id/diff': [`with=${values['/soaw/:id']}`],
};
/** Routes that do not succeed in any call, even for an administrator, and why. */
const UNREACHED: Record<string, string> = {
  '/events/stream': 'does not end',
  '/auth/sso/callback': 'is called by a provider of single sign-on',
  '/auth/sso/:provider/login': 'there is no provider of single sign-on',
  '/auth/sso/logout': 'there is no provider of single sign-on',
  '/auth/tokens/:id': 'shows tokens of the caller alone',
  '/webhooks/:id/deliveries/:did': 'nothing is delivered',
  '/auth/email-change': 'no address is changed',
  '/settings/logo': 'there is no logo',
  '/cmdbsync/connections/:id/tables': 'there is no other system',
  '/cmdbsync/connections/:id/tables/:table/fields': 'there is no other system',
};
/** Where a mark of a permission may be read without it, and why. */
const OPEN: [permission: string, url: RegExp, why: string][] = [
  ['cards.view', /^\/portals\/public\//, 'published for readers without an account'],
  ['cards.view', /^\/settings\/jobs/, 'an id in the payload of a job, for those who operate the service'],
  ['ppm.view insightlens.view', /^\/settings\/jobs/, 'the same'],
  // Auditors see events of all kinds; the rules for cards, costs and stakeholders apply to them as well.
  [
    all.filter((key) => !['cards.view', 'costs.view', 'stakeholders.view'].includes(key)).join(' '),
    /^\/events/,
    'the audit trail',
  ],
];

/** What reports and exports are about: their other formats are read without one of these only. */
const IN_REPORTS = ['cards.view', 'costs.view', 'relations.view', 'stakeholders.view', 'risks.view'];

interface Route {
  url: string;
  /** Paths with their queries. */
  calls: string[];
}
const document = (await admin.api.get<Document>('/api/openapi.json')).body;
const unnamed: string[] = [];

function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, (parameter, _name, index: number) => {
    const value = values[url.slice(0, index + parameter.length)];
    if (value === undefined) unnamed.push(`${url}: ${parameter}`);
    return value ?? 'none';
  });
}

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: { enum?: string[] };
}
const routes = app.routeTable
  .filter(({ method }) => method === 'GET')
  .map(({ url }): Route => {
    const short = url.replace(/^\/api\/v1/, '');
    const { parameters = [] } = (document.paths[url.replace(/:(\w+)/g, '{$1}')]?.['get'] ?? {}) as {
      parameters?: Parameter[];
    };
    const base = QUERIES[short] ?? [''];
    const formats = parameters.find(({ name, in: place }) => name === 'format' && place === 'query')?.schema.enum ?? [];
    const missing = parameters.filter(
      ({ in: place, required, name }) => place === 'query' && required && !base[0]!.includes(`${name}=`),
    );
    if (missing.length > 0 && !(short in UNREACHED))
      unnamed.push(`${short}: ${missing.map(({ name }) => name).join()}`);
    const queries = [
      ...(short in QUERIES && /^(\/reports\/|\/roles\/explain)|\/diff$/.test(short) ? [] : ['']),
      ...base,
      // A picture in pixels has no text to be read; the same picture is read as SVG.
      ...formats.filter((format) => format !== 'png').map((format) => `${base[0]}&format=${format}`),
    ];
    return {
      url: short,
      calls: [...new Set(queries)].map((query) => `${pathOf(short)}${query === '' ? '' : `?${query}`}`),
    };
  });

/** Headers and body as text; archives are unpacked. */
async function ask({ token }: Session, path: string): Promise<{ status: number; text: string }> {
  const at = path.startsWith('/api/') ? path : `/api/v1${path}`;
  const answer = await fetch(origin + at, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });
  const body = Buffer.from(await answer.arrayBuffer());
  const isArchive = body.subarray(0, 2).toString() === 'PK';
  const parts = isArchive ? Object.entries(unzipSync(body)).map(([name, bytes]) => name + Buffer.from(bytes)) : [body];
  const text = JSON.stringify([...answer.headers]) + parts.map(String).join('\n');
  // Problems name the path of the request, and links its query.
  const own = [at.replace(/\?.*/, ''), ...(at.split('?')[1]?.split('&') ?? []).filter((pair) => pair !== '')];
  return { status: answer.status, text: own.reduce((left, part) => left.replaceAll(part, ''), text) };
}

/** The text also without separators of thousands, for amounts. */
const findable = (text: string): string =>
  text.toLowerCase() + text.replace(/(\d)[.,'’\s\u00a0\u202f](?=\d{3})/g, '$1');

t.test(
  'each GET can be called, and succeeds for a user with all permissions or for the one who made what it shows',
  async (t) => {
    t.strictSame(unnamed, [], 'there is a value for each parameter');
    for (const { url, calls } of routes.filter(({ url: one }) => !(one in UNREACHED))) {
      const statuses = [];
      for (const call of calls)
        statuses.push(Math.min((await ask(reader, call)).status, (await ask(admin, call)).status));
      t.ok(
        statuses.every((status) => status < 400),
        `${url}: ${statuses.join()} of ${calls.join(' ')}`,
      );
    }
  },
);

const views = all.filter((key) => key.endsWith('.view'));

t.test('there is something to find of every kind', async (t) => {
  t.strictSame(Object.keys(marks).sort(), views.toSorted());
  const texts: string[] = [];
  for (const { url, calls } of routes.filter(({ url: one }) => one !== '/events/stream'))
    for (const call of calls) if (url !== '') texts.push(findable((await ask(reader, call)).text));
  for (const permission of views)
    for (const mark of marks[permission]!)
      t.ok(
        texts.some((text) => text.includes(mark)),
        `${mark} of ${permission} is in some answer`,
      );
});

for (const permission of views)
  t.test(`without ${permission}`, async (t) => {
    await give(all.filter((key) => key !== permission));
    await until(() => !app.services.rbac.permissionsOf('single').has(permission));
    let calls = 0;
    for (const { url, calls: paths } of routes.filter(({ url: one }) => one !== '/events/stream'))
      for (const path of paths) {
        if (path.includes('format=') && !IN_REPORTS.includes(permission)) continue;
        calls++;
        const { status, text } = await ask(reader, path);
        if (status >= 500) t.fail(`${path}: ${status}`);
        const isOpen = OPEN.some(([of, pattern]) => of.split(' ').includes(permission) && pattern.test(url));
        const sought = isOpen ? [] : marks[permission]!;
        // Only by the relation does an answer about one of the cards name the other one.
        const ends = permission === 'relations.view' && path.includes(near) ? [far, farName] : [];
        // Elsewhere the user is not named as a stakeholder.
        const held =
          permission === 'stakeholders.view' && /cards|relations|reports|insightlens/.test(url) ? holder : [];
        const found = [...sought, ...ends, ...held].filter((mark) => findable(text).includes(mark));
        if (found.length > 0) t.fail(`${path} (${status}) tells ${found.join()}: ${around(findable(text), found[0]!)}`);
      }
    t.ok(calls > 200, `${calls} calls`);
  });

const around = (text: string, mark: string): string => {
  const at = text.indexOf(mark);
  return text.slice(Math.max(0, at - 150), at + 150);
};

/** Statements that read relations and do not take the condition from the one place, and why. */
const OWN_CONDITION: Record<string, string> = {
  'core/inventory/cards/lock-repository.ts':
    'the facts that count in stored scores are those of all relations; those of an approval take the condition',
  'core/inventory/impact/graph-repository.ts': 'the graph of all relations, of which a reader is shown a part',
  'core/inventory/imports/apply/needs-repository.ts': 'the permissions that an import needs',
  'core/inventory/imports/preview/rows-view-repository.ts': 'the types at the ends, by which rows are hidden',
  'core/inventory/imports/preview/settle-repository.ts': 'the limit of one relation holds for hidden ones too',
  'core/inventory/imports/rows/due-repository.ts': 'what an accepted row changes',
  'core/inventory/imports/rows/match-repository.ts': 'matches are filtered by seesRelation',
  'core/inventory/metamodel/usage-repository.ts': 'what a change of the metamodel would affect',
  'core/inventory/relations/write-repository.ts': 'writes',
  'core/foundation/db/schema-objects.ts': 'not the table',
};

t.test('each statement that reads relations takes its condition from one place', async (t) => {
  const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
  const readers = ['core', 'plugins'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.d\.ts$|(?:^|\/)(?:dist|node_modules|test)\//.test(path))
      .map((path) => join(folder, path))
      .filter((path) => /\b(?:from|join) relations\b/.test(readFileSync(join(root, path), 'utf8'))),
  );
  t.ok(readers.length > 10, `${readers.length} files`);
  const without = readers.filter((path) => !/\brelationSeen/.test(readFileSync(join(root, path), 'utf8')));
  t.strictSame(
    without.filter((path) => !(path in OWN_CONDITION)),
    [],
  );
});
