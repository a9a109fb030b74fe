import type { Knex } from 'knex';
import type { Migration } from './migrate.js';
import { MigrationRole, type MigrationRights } from './migration-role.js';
import { nativeError } from './native-error.js';
import { ownTransactions, readSchema, type SchemaObject, type SchemaState } from './schema-objects.js';

/** Whether the name of a table, view, sequence, function, type, collation or text search object of the schema `public` is one of the module. */
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
  ts_config: 'text search configuration',
  ts_dict: 'text search dictionary',
};
/** Objects that have no relation, and belong to a module by their name. */
const BY_NAME: readonly string[] = ['proc', 'type', 'operator', 'collation', 'ts_config', 'ts_dict'];

/** Compares the objects of the database before and after a migration. */
class Comparison {
  constructor(
    private readonly before: SchemaState,
    private readonly after: SchemaState,
    private readonly owns: Owns,
    private readonly readable: MigrationRights['readable'],
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
    const rules = new Set(changed.map(([key]) => key));
    const read = after.uses
      .filter(
        ({ key, relation, column }) =>
          rules.has(key) && !this.isOwnRelation(relation) && !this.mayRead(relation, column),
      )
      .map(({ key, relation }) => `${this.nameOf(relation)} in ${this.describe(key)}`);
    const written = [...after.written]
      .filter(
        (id) => after.objects.get(`class ${id}`)?.relation === id && !before.written.has(id) && !this.isOwnRelation(id),
      )
      .map((id) => this.nameOf(id));
    return [
      ...(foreign.length > 0 ? [`changes what does not belong to it: ${some(foreign)}`] : []),
      ...(written.length > 0 ? [`writes rows of ${some(written)}`] : []),
      ...(read.length > 0 ? [`reads with the rights of the service ${some([...new Set(read)])}`] : []),
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

  private mayRead(relation: string, column: string): boolean {
    const name = this.nameOf(relation);
    return Object.hasOwn(this.readable, name) && this.readable[name]!.includes(column);
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
    // The rule that makes a view of a relation.
    return name === '_RETURN' ? `view${of.slice(3)}` : [word, name].filter(Boolean).join(' ') + of;
  }
}

const some = (all: readonly string[]): string =>
  all.length > MOST_NAMED
    ? `${all.slice(0, MOST_NAMED).join(', ')} and ${all.length - MOST_NAMED} more`
    : all.join(', ');

const LACKS_RIGHT = '42501';

/** The error of a migration; where it lacks a right, with a reason that begins with the object. */
function named(error: unknown, name: string): unknown {
  const { code, message = '' } = nativeError(error);
  if (code !== LACKS_RIGHT) return error;
  // Knex puts the statement before the message.
  const [text] = message.split(' - ').slice(-1);
  return new ForeignChange(`${name} uses what does not belong to it: ${text}`, { cause: error });
}

/**
 * Migrations of a module that may use and change only what belongs to it. Each runs as a role that has no other rights, where the user of the
 * service may make one; and after each, the objects of the database are compared with those before. A migration that changed other
 * objects, wrote rows of other tables, made a view of other tables, or ended the transaction fails, so that nothing of it stays (except what it
 * committed itself). This guards against mistakes: code of a module has other ways to the database.
 * @param owns whether a name is one of the module
 * @param rights what they may use; undefined: they run as the user of the service
 * @returns migrations that throw ForeignChange
 */
export function guarded(
  migrations: Readonly<Record<string, Migration>>,
  owns: Owns,
  rights?: MigrationRights,
): Record<string, Migration> {
  const run = async (name: string, direction: 'up' | 'down', knex: Knex): Promise<void> => {
    const role = rights && (await MigrationRole.begin(knex, rights));
    const before = await readSchema(knex);
    try {
      await migrations[name]![direction](knex);
    } catch (error) {
      throw role ? named(error, name) : error;
    }
    const after = await readSchema(knex);
    const faults =
      after.transaction === before.transaction
        ? await new Comparison(before, after, owns, rights?.readable ?? {}).faults(knex)
        : ['ends the transaction in which it runs'];
    if (faults.length > 0) throw new ForeignChange(`${name} ${faults.join('; it ')}`);
    await role?.end();
  };
  return Object.fromEntries(
    Object.keys(migrations).map((name) => [
      name,
      { up: (knex) => run(name, 'up', knex), down: (knex) => run(name, 'down', knex) },
    ]),
  );
}
