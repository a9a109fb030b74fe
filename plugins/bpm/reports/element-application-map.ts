import { defineReport, Nullable, OneOf, Strict, Type, Uuid, type Picture, type Static } from '@lintel/sdk';
import { LINKED_TYPES } from '../basics.js';
import { VIEW } from '../permissions.js';
import type { BpmServices } from '../services.js';
import { readLinks, type LinkRow } from './repository.js';
import { Count, Named, card, elementsOf, most } from './shapes.js';
import { count, textsOf } from './words/index.js';

/** Cards shown in the picture. */
const DRAWN = 40;

const parameters = Strict({
  type: Type.Optional(OneOf(LINKED_TYPES, { default: 'Application', description: 'The type of the linked cards.' })),
  card_id: Type.Optional(Uuid({ description: 'Only elements linked with this card.' })),
  most: most(2_000, 10_000, 'links'),
});
const answer = Type.Object({
  type: OneOf(LINKED_TYPES),
  type_label: Type.String({ description: 'In the language of the request.', examples: ['Application'] }),
  truncated: Type.Boolean(),
  cards: Type.Array(
    Type.Object({
      ...Named.properties,
      element_count: Count(),
      processes: Type.Array(
        Type.Object({
          ...Named.properties,
          href: Type.String({ description: 'The list of these elements.' }),
          elements: Type.Array(
            Type.Object({
              id: Uuid(),
              bpmn_id: Type.String(),
              kind: Type.String(),
              type: Type.String(),
              name: Nullable(Type.String()),
            }),
          ),
        }),
      ),
    }),
  ),
});
type Answer = Static<typeof answer>;
type Card = Answer['cards'][number];

/** Groups links, which are ordered by card and process. */
function grouped(links: readonly LinkRow[]): Card[] {
  const cards: Card[] = [];
  for (const link of links) {
    let of = cards.at(-1);
    if (of?.id !== link.card_id)
      cards.push((of = { id: link.card_id, name: link.card_name, element_count: 0, processes: [] }));
    of.element_count++;
    let process = of.processes.at(-1);
    if (process?.id !== link.process_id) {
      process = {
        id: link.process_id,
        name: link.process_name,
        href: elementsOf(link.process_id, link.card_id),
        elements: [],
      };
      of.processes.push(process);
    }
    const { element_id: id, bpmn_id, kind, type, name } = link;
    process.elements.push({ id, bpmn_id, kind, type, name });
  }
  return cards;
}

function picture({ cards, truncated, type_label }: Answer, lang: string): Picture {
  const { links: words } = textsOf(lang);
  const drawn = [...cards].sort((a, b) => b.element_count - a.element_count).slice(0, DRAWN);
  return {
    title: words.title(type_label),
    subtitle: count(cards.length, 'card', lang),
    description: drawn.map(({ name, element_count }) => `${name}: ${element_count}`).join('; '),
    ...((truncated || drawn.length < cards.length) && { notes: [words.truncated] }),
    content: {
      kind: 'nested',
      boxes: drawn.map(({ id, name, processes }) => ({
        label: name,
        href: card(id),
        shape: 'container' as const,
        children: processes.map((process) => ({
          label: process.name,
          href: process.href,
          note: String(process.elements.length),
          shape: 'leaf' as const,
        })),
      })),
    },
  };
}

/** Which elements of which processes use a card. */
export const elementApplicationMap = defineReport<BpmServices, typeof parameters, typeof answer>({
  id: 'element-application-map',
  title: 'Elements and applications',
  description: 'Which elements of published flows are linked with which applications, or cards of another type.',
  permission: VIEW,
  parameters,
  answer,
  run: ({ host }, { ctx, parameters: { type = 'Application', card_id, most: limit = 2_000 }, lang, asOf }) =>
    host.inventory.read(ctx, { lang, asOf }, async (inventory): Promise<Answer> => {
      const links = await readLinks(inventory, type, card_id?.toLowerCase(), limit + 1);
      return {
        type,
        type_label: inventory.types.get(type)?.label ?? type,
        truncated: links.length > limit,
        cards: grouped(links.slice(0, limit)),
      };
    }),
  tables: ({ cards, type_label }, { lang }) => {
    const { column } = textsOf(lang);
    return [
      {
        name: column.links,
        columns: [
          { title: type_label, kind: 'text' },
          { title: column.process, kind: 'text' },
          { title: column.element, kind: 'text' },
          { title: column.kind, kind: 'text' },
          { title: column.bpmnId, kind: 'text' },
        ],
        rows: cards.flatMap(({ name, processes }) =>
          processes.flatMap((process) =>
            process.elements.map((element) => [name, process.name, element.name, element.type, element.bpmn_id]),
          ),
        ),
      },
    ];
  },
  picture: (view, { lang }) => picture(view, lang),
});
