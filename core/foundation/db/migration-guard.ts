import type { Knex } from 'knex';
import type { Migration } from './migrate.js';
import { ownTransactions, readSchema, type SchemaObject, type SchemaState } from './schema-objects.js';

/** Whether the name of a table, view, sequence, function or type of the schema `public` is one of the module. */
export type Owns = (name: string) => boolean;

/** A migration changed what is not its own. The message is the reason; the transaction must be rolled back. */
export class ForeignChange extends Error {}

const MOST_NAMED = 3;
const WORDS: Readonly<Record<string, string>> = {
  class: 'relation',
  attribute: 'column',
  attrdef: 'default of a column',
  proc: 'function',
  rewrite: 'rule',
  inherits: 'partition or heir',
  statistic_ext: 'statistics',
  namespace: 'schema',
};
/** Objects that have no relation, and belong to a module by their name. */
const BY_NAME: readonly string[] = ['proc', 'type', 'operator'];

/** Compares the objects of the database before and after a migration. */
class Comparison {
  constructor(
    private readonly before: SchemaState,
    private readonly after: SchemaState,
    private readonly owns: Owns,
  ) {}

  /** What the migration changed that is not its own, in words; none if all is. */
  async faults(knex: Knex): Promise<string[]> {
    const { before, after } = this;
    const stored = [...after.objects].filter(([key, { state }]) => before.objects.get(key)?.state !== state);
    const own = await ownTransactions(
      knex,
      after,
      stored.map(([, { xid }]) => xid),
    );
    const changed = stored.filter(([, { xid }]) => own.has(xid));
    const dropped = [...before.objects].filter(([key, object]) => !after.objects.has(key) && this.isDropped(object));
    const foreign = [...changed, ...dropped].filter(([key]) => !this.isOwn(key)).map(([key]) => this.describe(key));
    const unsafe = changed.filter(([key]) => after.unsafe.has(key)).map(([key]) => this.describe(key));
    const written = [...after.written]
      .filter(
        (id) => after.objects.get(`class ${id}`)?.relation === id && !before.written.has(id) && !this.isOwnRelation(id),
      )
      .map((id) => this.nameOf(id));
    return [
      ...(foreign.length > 0 ? [`changes what does not belong to it: ${some(foreign)}`] : []),
      ...(written.length > 0 ? [`writes rows of ${some(written)}`] : []),
      ...(unsafe.length > 0
        ? [
            `makes what runs with the rights of the service (security definer, or a language that is not trusted): ${some(unsafe)}`,
          ]
        : []),
    ];
  }

  /** Whether this session dropped it: others may drop relations meanwhile, such as old partitions of the log. */
  private isDropped({ relation }: SchemaObject): boolean {
    return relation === null || this.after.locked.has(relation);
  }

  private isOwn(key: string): boolean {
    return [this.before, this.after].every(({ objects, publicId }) => {
      const object = objects.get(key);
      if (!object) return true;
      if (object.relation !== null) return this.isOwnRelation(object.relation);
      return BY_NAME.includes(object.catalogue) && object.schema === publicId && this.owns(object.name);
    });
  }

  /** By its name before and after: a table that is renamed stays what it was. */
  private isOwnRelation(id: string): boolean {
    return [this.before, this.after].every(({ objects, publicId }) => {
      const relation = objects.get(`class ${id}`);
      return !relation || (relation.schema === publicId && this.owns(relation.name));
    });
  }

  private nameOf(relation: string): string {
    const key = `class ${relation}`;
    return (this.before.objects.get(key) ?? this.after.objects.get(key))?.name ?? relation;
  }

  private describe(key: string): string {
    const { catalogue, name, relation } = (this.before.objects.get(key) ?? this.after.objects.get(key))!;
    const word = WORDS[catalogue] ?? catalogue.replaceAll('_', ' ');
    const of = relation === null || key === `class ${relation}` ? '' : ` of ${this.nameOf(relation)}`;
    return [word, name].filter(Boolean).join(' ') + of;
  }
}

const some = (all: readonly string[]): string =>
  all.length > MOST_NAMED
    ? `${all.slice(0, MOST_NAMED).join(', ')} and ${all.length - MOST_NAMED} more`
    : all.join(', ');

/**
 * Migrations of a module that may change only what belongs to it: after each, the objects of the database are compared with those before.
 * A migration that changed other objects, wrote rows of other tables, or ended the transaction fails, so that nothing of it stays (except what it
 * committed itself). This guards against mistakes: code of a module has other ways to the database.
 * @param owns whether a name is one of the module
 * @returns migrations that throw ForeignChange
 */
export function guarded(migrations: Readonly<Record<string, Migration>>, owns: Owns): Record<string, Migration> {
  const run = async (name: string, direction: 'up' | 'down', knex: Knex): Promise<void> => {
    const before = await readSchema(knex);
    await migrations[name]![direction](knex);
    const after = await readSchema(knex);
    const faults =
      after.transaction === before.transaction
        ? await new Comparison(before, after, owns).faults(knex)
        : ['ends the transaction in which it runs'];
    if (faults.length > 0) throw new ForeignChange(`${name} ${faults.join('; it ')}`);
  };
  return Object.fromEntries(
    Object.keys(migrations).map((name) => [
      name,
      { up: (knex) => run(name, 'up', knex), down: (knex) => run(name, 'down', knex) },
    ]),
  );
}
