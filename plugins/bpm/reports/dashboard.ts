import { defineReport, Nullable, Strict, Timestamp, Type, Uuid, type Picture, type Static } from '@lintel/sdk';
import { SCORES } from '../assessments/resource.js';
import { VIEW } from '../permissions.js';
import type { BpmServices } from '../services.js';
import { readAwaiting, readFigures, readKinds } from './repository.js';
import { kindIn, languageOf } from '../words/index.js';
import { COLORS, Count, Counted, Named, processes } from './shapes.js';
import { count, textsOf } from './words/index.js';

const AWAITING = 20;
const STATES = ['published', 'pending', 'draft', 'none'] as const;
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

/** A kind of elements in words, such as `Sub process`. */
const inWords = (kind: string, lang: string): string =>
  kindIn(
    languageOf(lang),
    kind.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  );

function picture({ flows, processes: all, elements, averages, kinds, awaiting }: Answer, lang: string): Picture {
  const { dashboard: words, column, states } = textsOf(lang);
  const number = new Intl.NumberFormat(lang);
  const share = elements.total === 0 ? 0 : elements.linked / elements.total;
  const percent = new Intl.NumberFormat(lang, { style: 'percent' }).format(share);
  return {
    title: words.title,
    subtitle: words.subtitle(count(all.count, 'process', lang), count(elements.total, 'element', lang)),
    description: flows.map(({ label, count: of }) => `${label}: ${number.format(of)}`).join('; '),
    content: {
      kind: 'panels',
      panels: [
        {
          title: words.figures,
          isWide: true,
          picture: {
            kind: 'figures',
            figures: [
              { label: column.processes, value: number.format(all.count), href: all.href },
              { label: states.pending, value: number.format(awaiting.length) },
              {
                label: words.linkedElements,
                value: percent,
                note: words.linkedOf(number.format(elements.linked), number.format(elements.total)),
              },
              {
                label: words.averageScore,
                value: averages.overall === null ? '–' : number.format(averages.overall),
                note: words.scale,
              },
            ],
          },
        },
        {
          title: column.flows,
          picture: {
            kind: 'bars',
            categories: flows.map(({ label, href }) => ({ label, href })),
            series: [
              {
                label: column.processes,
                values: flows.map(({ count: of }) => of),
                colors: flows.map(({ key }) => COLORS[key as keyof typeof COLORS] as string),
              },
            ],
            unit: words.processes,
          },
        },
        {
          title: words.byKind,
          picture: {
            kind: 'bars',
            categories: kinds.map(({ kind }) => ({ label: inWords(kind, lang) })),
            series: [
              { label: column.linked, color: COLORS.published, values: kinds.map(({ linked }) => linked) },
              { label: words.notLinked, color: COLORS.none, values: kinds.map((kind) => kind.count - kind.linked) },
            ],
            unit: words.elements,
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
      const texts = textsOf(lang);
      const figures = await readFigures(inventory);
      const kinds = await readKinds(inventory);
      const sum = (of: 'count' | 'linked'): number => kinds.reduce((total, row) => total + row[of], 0);
      return {
        processes: { count: figures.total, href: processes() },
        flows: STATES.map((key) => ({
          key,
          label: key === 'draft' ? texts.dashboard.withDrafts : texts.states[key],
          count: figures[key],
          href: processes({ state: key }),
        })),
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
  tables: ({ flows, kinds, averages }, { lang }) => {
    const { column, scores } = textsOf(lang);
    return [
      {
        name: column.flows,
        columns: [
          { title: column.state, kind: 'text' },
          { title: column.processes, kind: 'number' },
        ],
        rows: flows.map((flow) => [flow.label, flow.count]),
      },
      {
        name: column.elements,
        columns: [
          { title: column.kind, kind: 'text' },
          { title: column.elements, kind: 'number' },
          { title: column.linked, kind: 'number' },
        ],
        rows: kinds.map((row) => [inWords(row.kind, lang), row.count, row.linked]),
      },
      {
        name: column.score,
        columns: [
          { title: column.score, kind: 'text' },
          { title: column.average, kind: 'number' },
        ],
        rows: SCORES.map((score) => [scores[score], averages[score]]),
      },
    ];
  },
  picture: (view, { lang }) => picture(view, lang),
});
