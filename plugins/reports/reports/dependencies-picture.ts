import type { Picture, ReportRequest } from '@lintel/sdk';
import { countWords, filterWords, line, textsOf } from '../words/index.js';
import type { Answer, Query } from './dependencies-schemas.js';

/** The graph, laid out in layers. */
export function dependenciesPicture(answer: Answer, request: ReportRequest<Query>): Picture {
  const { lang } = request;
  const { dependencies: texts } = textsOf(lang);
  const { card_id, type, nodes, edges, types, depth, direction, truncated } = answer;
  const byType = new Map(types.map((one) => [one.key, one]));
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const centre = card_id === null ? (byType.get(type!)?.label ?? type!) : nodes[0]!.name;
  // Cards without a relation would take the room of those that have some.
  const ends = new Set(edges.flatMap(({ source_id, target_id }) => [source_id, target_id]));
  const shown = edges.length === 0 ? nodes : nodes.filter(({ id }) => ends.has(id) || id === card_id);
  return {
    title: texts.title(centre),
    subtitle: line(
      `${texts.counts(countWords(nodes.length, 'card', lang), countWords(edges.length, 'relation', lang))}, ${texts.direction[direction]}`,
      card_id === null ? '' : depth === 1 ? texts.next : texts.away(depth),
      filterWords(request, ['type']),
    ),
    description: edges
      .slice(0, 50)
      .map(({ source_id, label, target_id }) => `${names.get(source_id)} ${label} ${names.get(target_id)}`)
      .join('; '),
    notes: [
      ...(truncated ? [texts.truncated] : []),
      ...(shown.length < nodes.length ? [texts.lone(countWords(nodes.length - shown.length, 'card', lang))] : []),
    ],
    content: {
      kind: 'graph',
      nodes: shown.map((node) => ({
        id: node.id,
        label: node.name,
        href: node.href,
        note: byType.get(node.type)?.label ?? node.type,
        color: byType.get(node.type)!.color,
        icon: byType.get(node.type)!.icon,
        isCentre: node.id === card_id,
      })),
      edges: edges.map(({ source_id, target_id, label }) => ({ from: source_id, to: target_id, label })),
      legend: types.map(({ label, color, icon }) => ({ label, color, icon })),
    },
  };
}
