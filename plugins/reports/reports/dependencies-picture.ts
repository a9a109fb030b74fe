import type { Picture, ReportRequest } from '@lintel/sdk';
import type { Answer, Query } from './dependencies-schemas.js';

const DIRECTIONS = { downstream: 'downstream', upstream: 'upstream', both: 'in both directions' } as const;

/** The graph, laid out in layers. */
export function dependenciesPicture(answer: Answer, { lang }: ReportRequest<Query>): Picture {
  const { card_id, type, nodes, edges, types, depth, direction, truncated } = answer;
  const number = new Intl.NumberFormat(lang);
  const byType = new Map(types.map((one) => [one.key, one]));
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const centre = card_id === null ? (byType.get(type!)?.label ?? type!) : nodes[0]!.name;
  return {
    title: `Dependencies of ${centre}`,
    subtitle: `${number.format(nodes.length)} cards and ${number.format(edges.length)} relations, ${DIRECTIONS[direction]}${
      card_id === null ? '' : `, up to ${depth} ${depth === 1 ? 'relation' : 'relations'} away`
    }`,
    description: edges
      .slice(0, 50)
      .map(({ source_id, label, target_id }) => `${names.get(source_id)} ${label} ${names.get(target_id)}`)
      .join('; '),
    ...(truncated && { notes: ['Only the nearest cards and relations are shown.'] }),
    content: {
      kind: 'graph',
      nodes: nodes.map((node) => ({
        id: node.id,
        label: node.name,
        href: node.href,
        note: byType.get(node.type)?.label ?? node.type,
        color: byType.get(node.type)!.color,
        isCentre: node.id === card_id,
      })),
      edges: edges.map(({ source_id, target_id, label }) => ({ from: source_id, to: target_id, label })),
      legend: types.map(({ label, color }) => ({ label, color })),
    },
  };
}
