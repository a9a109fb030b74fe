import { defineReport, Nullable, Strict, Timestamp, Type, Uuid, type Picture, type Static } from '@lintel/sdk';
import { SCORES } from '../assessments/resource.js';
import { VIEW } from '../permissions.js';
import type { BpmServices } from '../services.js';
import { readAwaiting, readFigures, readKinds } from './repository.js';
import { COLORS, Count, Counted, Named, SCORE_LABELS, processes } from './shapes.js';

const AWAITING = 20;
const STATES = [
  ['published', 'Published'],
  ['pending', 'Awaiting approval'],
  ['draft', 'With drafts'],
  ['none', 'Without a flow'],
] as const;
const Average = Nullable(Type.Number({ minimum: 1, maximum: 5 }));

const parameters = Strict({});
const answer = Type.Object({
  processes: Counted,
  flows: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), ...Counted.properties }), {
    description: 'A process with a published flow can have drafts as well.',
  }),
  with_problems: Count('Processes whose published flow has problems of severity `error`.'),
  assessed: Counted,
  averages: Type.Object(
    {
      efficiency: Average,
      effectiveness: Average,
      compliance: Average,
      automation: Average,
      overall: Average,
    },
    { description: 'Of the latest assessment of each process.' },
  ),
  elements: Type.Object({ total: Count(), linked: Count('Elements of published flows that are linked with a card.') }),
  kinds: Type.Array(Type.Object({ kind: Type.String(), count: Count(), linked: Count() })),
  awaiting: Type.Array(
    Type.Object({
      id: Uuid(),
      revision: Type.Integer(),
      submitted_at: Timestamp(),
      process: Named,
      href: Type.String(),
    }),
    { description: `At most ${AWAITING} submitted versions, the oldest first.` },
  ),
});
type Answer = Static<typeof answer>;

function picture({ flows, processes: all, elements, averages, kinds, awaiting }: Answer, lang: string): Picture {
  const number = new Intl.NumberFormat(lang);
  const share = elements.total === 0 ? 0 : elements.linked / elements.total;
  const percent = new Intl.NumberFormat(lang, { style: 'percent' }).format(share);
  return {
    title: 'Business processes',
    subtitle: `${number.format(all.count)} processes, ${number.format(elements.total)} elements of published flows`,
    description: flows.map(({ label, count }) => `${label}: ${count}`).join('; '),
    content: {
      kind: 'panels',
      panels: [
        {
          title: 'Figures',
          isWide: true,
          picture: {
            kind: 'figures',
            figures: [
              { label: 'Processes', value: number.format(all.count), href: all.href },
              { label: 'Awaiting approval', value: number.format(awaiting.length) },
              {
                label: 'Linked elements',
                value: percent,
                note: `${number.format(elements.linked)} of ${number.format(elements.total)}`,
              },
              {
                label: 'Average overall score',
                value: averages.overall === null ? '–' : number.format(averages.overall),
                note: 'from 1 to 5',
              },
            ],
          },
        },
        {
          title: 'Flows',
          picture: {
            kind: 'bars',
            categories: flows.map(({ label, href }) => ({ label, href })),
            series: [
              {
                label: 'Processes',
                values: flows.map(({ count }) => count),
                colors: flows.map(({ key }) => COLORS[key as keyof typeof COLORS] as string),
              },
            ],
            unit: 'processes',
          },
        },
        {
          title: 'Elements by kind',
          picture: {
            kind: 'bars',
            categories: kinds.map(({ kind }) => ({ label: kind.replaceAll('_', ' ') })),
            series: [
              { label: 'Linked', color: COLORS.published, values: kinds.map(({ linked }) => linked) },
              { label: 'Not linked', color: COLORS.none, values: kinds.map(({ count, linked }) => count - linked) },
            ],
            unit: 'elements',
          },
        },
      ],
    },
  };
}

/** What there is, what awaits approval, and how well it is described. */
export const dashboard = defineReport<BpmServices, typeof parameters, typeof answer>({
  id: 'dashboard',
  title: 'Business processes',
  description: 'Processes by the state of their flows, elements by kind and links, average scores, submitted versions.',
  permission: VIEW,
  parameters,
  answer,
  run: ({ host }, { ctx, lang, asOf }) =>
    host.inventory.read(ctx, { lang, asOf }, async (inventory): Promise<Answer> => {
      const figures = await readFigures(inventory);
      const kinds = await readKinds(inventory);
      const sum = (of: 'count' | 'linked'): number => kinds.reduce((total, row) => total + row[of], 0);
      return {
        processes: { count: figures.total, href: processes() },
        flows: STATES.map(([key, label]) => ({ key, label, count: figures[key], href: processes({ state: key }) })),
        with_problems: figures.with_problems,
        assessed: { count: figures.assessed, href: processes({ assessed: 'true' }) },
        averages: figures.averages,
        elements: { total: sum('count'), linked: sum('linked') },
        kinds,
        awaiting: (await readAwaiting(inventory, AWAITING)).map((row) => ({
          ...row,
          submitted_at: row.submitted_at.toISOString(),
          href: `/api/v1/bpm/processes/${row.process.id}/flow/versions/${row.id}`,
        })),
      };
    }),
  tables: ({ flows, kinds, averages }) => [
    {
      name: 'Flows',
      columns: [
        { title: 'State', kind: 'text' },
        { title: 'Processes', kind: 'number' },
      ],
      rows: flows.map(({ label, count }) => [label, count]),
    },
    {
      name: 'Elements',
      columns: [
        { title: 'Kind', kind: 'text' },
        { title: 'Elements', kind: 'number' },
        { title: 'Linked', kind: 'number' },
      ],
      rows: kinds.map(({ kind, count, linked }) => [kind, count, linked]),
    },
    {
      name: 'Scores',
      columns: [
        { title: 'Score', kind: 'text' },
        { title: 'Average', kind: 'number' },
      ],
      rows: SCORES.map((score) => [SCORE_LABELS[score], averages[score]]),
    },
  ],
  picture: (view, { lang }) => picture(view, lang),
});
