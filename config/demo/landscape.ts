import { commercialApplications } from './applications-commercial.js';
import { corporateApplications } from './applications-corporate.js';
import { operationsApplications } from './applications-operations.js';
import { contexts, processes } from './business.js';
import { capabilities } from './capabilities.js';
import { dataObjects } from './data-objects.js';
import { initiatives } from './initiatives.js';
import { interfaces } from './interfaces.js';
import { externalId, known, type CardKey, type CardUpsert, type RelationUpsert, type Row } from './model.js';
import { organizations } from './organizations.js';
import { addressOf, people } from './people.js';
import { providers } from './providers.js';
import { objectives, platforms } from './strategy.js';
import { itComponents, techCategories } from './technology.js';

/** A user's role on a card. */
export interface Involvement {
  card: CardKey;
  email: string;
  role: string;
}

export interface DemoUser {
  email: string;
  display_name: string;
  role: string;
}

/** The landscape in the format of the API; parents come before their children. */
export interface Landscape {
  users: DemoUser[];
  cards: CardUpsert[];
  relations: RelationUpsert[];
  involvements: Involvement[];
}

const ROWS: readonly Row[] = [
  ...objectives,
  ...platforms,
  ...organizations,
  ...capabilities,
  ...contexts,
  ...processes,
  ...dataObjects,
  ...techCategories,
  ...providers,
  ...itComponents,
  // Regional installations and their applications are in different files, so parents are sorted first.
  ...[...commercialApplications, ...corporateApplications, ...operationsApplications].sort(
    (a, b) => Number(a.parent !== undefined) - Number(b.parent !== undefined),
  ),
  ...interfaces,
  ...initiatives,
];

/**
 * Converts the rows to cards, relations and stakeholders.
 * @throws if a name is used twice or does not exist; the message contains the row
 */
export function buildLandscape(rows: readonly Row[] = ROWS): Landscape {
  const names = new Set<string>();
  const nameOf = (type: string, name: string): string => `${type} ${externalId(name)}`;
  for (const { type, name } of rows) {
    if (names.has(nameOf(type, name))) throw new Error(`there are two of ${type} "${name}"`);
    names.add(nameOf(type, name));
  }
  const key = (type: string, name: string, of: string): CardKey => {
    if (!names.has(nameOf(type, name))) throw new Error(`"${of}" names ${type} "${name}", which is not there`);
    return { type, external_id: externalId(name) };
  };

  const cards = rows.map(
    ({ type, name, subtype, alias, description, parent, lifecycle, attributes }): CardUpsert =>
      known({
        type,
        external_id: externalId(name),
        name,
        subtype,
        alias,
        description,
        parent: parent === undefined ? undefined : key(type, parent, name),
        lifecycle,
        attributes,
      }),
  );
  const relations = rows.flatMap(({ type, name, links = [] }) =>
    links.map((link): RelationUpsert => {
      const [own, other] = [key(type, name, name), key(link.type, link.name, name)];
      const [source, target] = link.incoming ? [other, own] : [own, other];
      return { type: link.relation, source, target, ...(link.attributes && { attributes: link.attributes }) };
    }),
  );
  const seen = new Set<string>();
  for (const { type, source, target } of relations) {
    const id = `${type}: ${source.external_id} to ${target.external_id}`;
    if (seen.has(id)) throw new Error(`there are two of ${id}`);
    seen.add(id);
  }
  const involvements = rows.flatMap(({ type, name, people: roles = {} }) =>
    Object.entries(roles).map(([role, initials]): Involvement => {
      const person = people[initials];
      if (!person) throw new Error(`"${name}" names ${initials}, who does not exist`);
      return { card: key(type, name, name), email: addressOf(person), role };
    }),
  );
  const users = Object.values(people).map(
    (person): DemoUser => ({ email: addressOf(person), display_name: person.name, role: person.role }),
  );
  return { users, cards, relations, involvements };
}
