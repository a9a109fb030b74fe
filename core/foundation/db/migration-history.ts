import pg from 'pg';

/** An applied migration. */
export interface Applied {
  name: string;
  /** Version of the program or module that applied it; null where it was not stored, as before 0.1.0. */
  version: string | null;
}

/** What applies the migrations of a history: `Lintel`, or a module. */
export interface Release {
  name: string;
  version: string;
}

/** Runs a statement and returns its rows. */
type Read = (text: string) => Promise<object[]>;

/**
 * The applied migrations of a history, sorted; none where its table does not exist.
 * @param history name of its table
 */
export async function readHistory(read: Read, history: string): Promise<Applied[]> {
  const table = pg.escapeIdentifier(history);
  const [found] = (await read(`select to_regclass(${pg.escapeLiteral(table)}) is not null as there`)) as {
    there: boolean;
  }[];
  if (!found!.there) return [];
  // Histories of former versions have no column for the version.
  return (await read(
    `select name, to_jsonb(h) ->> 'version' as version from ${table} h order by name collate "C"`,
  )) as Applied[];
}

/** Migrations were applied that this version does not contain. */
export class UnknownMigrations extends Error {
  constructor(
    readonly unknown: readonly Applied[],
    own: Release,
  ) {
    const names = unknown.map(({ name }) => name).join(', ');
    const version = unknown.findLast((applied) => applied.version !== null)?.version;
    const by = version == null ? `another version of ${own.name}` : `${own.name} ${version}`;
    super(
      `the tables were migrated by ${by}${version == null ? ', whose number was not stored' : ''}, and this is ${own.name} ${own.version}, ` +
        `which does not contain the migrations ${names}: start ${version == null ? 'the newer version' : by} again, ` +
        'or restore a backup that was made before the upgrade',
    );
  }
}

/** @throws UnknownMigrations if one is not among the migrations */
export function demandKnown(applied: readonly Applied[], migrations: object, own: Release): void {
  const unknown = applied.filter(({ name }) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) throw new UnknownMigrations(unknown, own);
}
