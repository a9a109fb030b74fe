import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DATA_DIR, dataAbsent, makeUser, registerAdmin, testApp } from '../../../test/support/app.js';
import type { BulkView } from '../register/schemas.js';
import type { RiskView } from '../register/schemas.js';

interface Facet {
  name: string;
  value: string;
}
interface OscalRisk {
  uuid: string;
  title: string;
  description: string;
  statement: string;
  status: string;
  deadline?: string;
  characterizations?: { facets: Facet[] }[];
  remediations?: { title: string; description: string }[];
}

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const architect = await makeUser(admin, 'architect');
const bulk = async (operations: object[]) => {
  const answer = await architect.api.post<BulkView>('/risks/bulk', { operations });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body).slice(0, 2_000));
  return answer.body;
};
const folder = (...parts: string[]) => join(DATA_DIR, 'risks', ...parts);
const matter = (text: string, field: string): string =>
  new RegExp(`^${field}: *(.*)$`, 'm').exec(text.split('\n---')[0]!)![1]!;
const bodyOf = (text: string): string => text.slice(text.indexOf('\n---', 4) + 4).trim();
const listOf = (text: string, field: string): number[] =>
  (new RegExp(`^${field}:\\n((?: +- .*\\n)*)`, 'm').exec(text)?.[1] ?? '').split('\n').flatMap((line) => {
    const id = /ri-(\d+)/.exec(line);
    return id ? [Number(id[1])] : [];
  });

t.test('risks of the FINOS framework, with their mitigations', { skip: dataAbsent }, async (t) => {
  const categories: Record<string, string> = { SEC: 'security', RC: 'compliance', OP: 'operational' };
  const files = readdirSync(folder('finos-aigf/_risks'))
    .sort()
    .map((name) => readFileSync(folder('finos-aigf/_risks', name), 'utf8'));
  t.ok(files.length > 5);
  const made = await bulk(
    files.map((text) => ({
      op: 'create',
      ref: matter(text, 'sequence'),
      risk: { title: matter(text, 'title'), category: categories[matter(text, 'type')], description: bodyOf(text) },
    })),
  );
  t.strictSame(made.summary, { created: files.length });
  const by = new Map(made.results.map(({ ref, id }) => [Number(ref), id!]));
  for (const text of files) {
    const risk = (await architect.api.get<RiskView>(`/risks/${by.get(Number(matter(text, 'sequence')))}`)).body;
    t.equal(risk.title, matter(text, 'title'));
    t.equal(risk.description, bodyOf(text), 'Markdown is kept as it is');
  }
  let planned = 0;
  for (const name of readdirSync(folder('finos-aigf/_mitigations'))) {
    const text = readFileSync(folder('finos-aigf/_mitigations', name), 'utf8');
    for (const id of listOf(text, 'mitigates').flatMap((sequence) => by.get(sequence) ?? [])) {
      const answer = await architect.api.post(`/risks/${id}/mitigations`, {
        title: matter(text, 'title'),
        description: bodyOf(text),
        recurrence: 'quarterly',
        due_date: '2031-01-31',
      });
      t.equal(answer.status, 201, JSON.stringify(answer.body).slice(0, 300));
      planned++;
    }
  }
  t.ok(planned > 5, `${planned} mitigations`);
  t.match((await architect.api.get('/risks', { query: { search: 'prompt injection' } })).body.total, Number);
  t.ok((await architect.api.get('/risks', { query: { search: 'prompt injection' } })).body.total > 0);
});

t.test('risks of an OSCAL plan of action, judged and accepted', { skip: dataAbsent }, async (t) => {
  const plan = JSON.parse(readFileSync(folder('oscal/ifa_plan-of-action-and-milestones.json'), 'utf8')) as {
    'plan-of-action-and-milestones': { risks: OscalRisk[] };
  };
  const { risks } = plan['plan-of-action-and-milestones'];
  const facet = (risk: OscalRisk, name: string) =>
    risk.characterizations?.flatMap(({ facets }) => facets).find((f) => f.name === name)?.value;
  const scale: Record<string, string> = { high: 'high', moderate: 'medium', low: 'low' };
  const operations = risks.flatMap((risk) => [
    {
      op: 'create',
      ref: risk.uuid,
      risk: {
        title: risk.title,
        category: 'security',
        description: `${risk.description}\n\n${risk.statement}`,
        initial_probability: scale[facet(risk, 'likelihood') ?? ''] ?? null,
        initial_impact: scale[facet(risk, 'impact') ?? ''] ?? null,
        target_date: risk.deadline?.slice(0, 10) ?? null,
      },
    },
    ...(risk.status === 'deviation-approved'
      ? [
          {
            op: 'transition',
            ref: risk.uuid,
            to: 'accepted',
            rationale: risk.remediations![0]!.description,
            expires_on: '2999-12-31',
          },
        ]
      : []),
  ]);
  const made = await bulk(operations);
  t.equal(made.summary['created'], risks.length);
  t.ok(made.summary['transitioned']! > 0);
  for (const { id } of made.results)
    t.match((await architect.api.get(`/risks/${id}`)).body, {
      initial_level: /^(high|medium|low)$/,
      target_date: String,
    });
});
