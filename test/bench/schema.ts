import type pg from 'pg';

/** Which of the tables there are: the benchmarks also run on versions of the schema that lack some. */
export async function existing(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) with ordinality as t(name, place) where to_regclass(name) is not null order by place',
    [tables],
  );
  return rows.map(({ name }) => name);
}

/** The relation with all columns of cards: a view over several tables, or the one table of older versions. */
export async function rowSource(client: pg.Client): Promise<string> {
  return (await existing(client, ['card_rows', 'cards']))[0]!;
}
