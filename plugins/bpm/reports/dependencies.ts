import { defineReport, Strict, Type, Uuid, type Picture, type Static } from '@lintel/sdk';
import { VIEW } from '../permissions.js';
import type { BpmServices } from '../services.js';
import { readEdges } from './repository.js';
import { COLORS, Count, Named, card, most } from './shapes.js';
import { count, textsOf } from './words/index.js';

/** Edges that are read; more are cut off. */
const MOST_EDGES = 10_000;

const parameters = Strict({
  process_id: Type.Optional(Uuid({ description: 'Only this process and those directly connected with it.' })),
  most: most(60, 200, 'processes'),
});
const answer = Type.Object({
  truncated: Type.Boolean(),
  processes: Type.Array(
    Type.Object({ ...Named.properties, incoming: Count('Edges to it.'), outgoing: Count('Edges from it.') }),
    { description: 'Those with the most edges.' },
  ),
  edges: Type.Array(
    Type.Object({
      from_id: Uuid(),
      to_id: Uuid(),
      calls: Count('Call activities of the published flow that are linked with the other process.'),
      related: Type.Boolean({ description: 'Whether a relation from one to the other exists that the caller sees.' }),
    }),
  ),
});
type Answer = Static<typeof answer>;
type Node = Answer['processes'][number];

function picture({ processes, edges, truncated }: Answer, lang: string): Picture {
  const { dependencies: words, column } = textsOf(lang);
  const counts = `${count(processes.length, 'process', lang)}, ${count(edges.length, 'dependency', lang)}`;
  return {
    title: words.title,
    subtitle: counts,
    description: counts,
    ...(truncated && { notes: [words.truncated] }),
    content: {
      kind: 'graph',
      nodes: processes.map(({ id, name }) => ({ id, label: name, href: card(id), color: COLORS.draft })),
      edges: edges.map(({ from_id, to_id, calls }) => ({
        from: from_id,
        to: to_id,
        ...(calls > 0 && { label: calls === 1 ? words.once : words.calls(new Intl.NumberFormat(lang).format(calls)) }),
      })),
      legend: [{ label: column.process, color: COLORS.draft }],
    },
  };
}

/** Which processes call or need each other. */
export const dependencies = defineReport<BpmServices, typeof parameters, typeof answer>({
  id: 'dependencies',
  title: 'Dependencies of processes',
  description: 'Which processes call each other by call activities of published flows, or are related.',
  permission: VIEW,
  parameters,
  answer,
  run: ({ host }, { ctx, parameters: { process_id, most: limit = 60 }, lang, asOf }) =>
    host.inventory.read(ctx, { lang, asOf }, async (inventory): Promise<Answer> => {
      const centre = process_id?.toLowerCase();
      const all = await readEdges(inventory, MOST_EDGES);
      const edges = all.filter(({ from_id, to_id }) => centre === undefined || from_id === centre || to_id === centre);
      const nodes = new Map<string, Node>();
      const nodeOf = (id: string, name: string): Node => {
        const known = nodes.get(id) ?? { id, name, incoming: 0, outgoing: 0 };
        nodes.set(id, known);
        return known;
      };
      for (const { from_id, from_name, to_id, to_name } of edges) {
        nodeOf(from_id, from_name).outgoing++;
        nodeOf(to_id, to_name).incoming++;
      }
      const weight = ({ id, incoming, outgoing }: Node): number => (id === centre ? Infinity : incoming + outgoing);
      const processes = [...nodes.values()].sort((a, b) => weight(b) - weight(a)).slice(0, limit);
      const shown = new Set(processes.map(({ id }) => id));
      return {
        truncated: processes.length < nodes.size || all.length === MOST_EDGES,
        processes,
        edges: edges
          .filter(({ from_id, to_id }) => shown.has(from_id) && shown.has(to_id))
          .map(({ from_id, to_id, calls, related }) => ({ from_id, to_id, calls, related })),
      };
    }),
  tables: ({ processes, edges }, { lang }) => {
    const { column } = textsOf(lang);
    const nameOf = new Map(processes.map(({ id, name }) => [id, name]));
    return [
      {
        name: column.dependencies,
        columns: [
          { title: column.from, kind: 'text' },
          { title: column.to, kind: 'text' },
          { title: column.calls, kind: 'number' },
          { title: column.relation, kind: 'boolean' },
        ],
        rows: edges.map(({ from_id, to_id, calls, related }) => [
          nameOf.get(from_id)!,
          nameOf.get(to_id)!,
          calls,
          related,
        ]),
      },
    ];
  },
  picture: (view, { lang }) => picture(view, lang),
});
