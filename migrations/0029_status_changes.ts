import type { Knex } from 'knex';

/**
 * The rules of the hierarchy for a card that is archived or restored, checked by the statement that writes it: a function
 * that may write takes a new snapshot, and so sees what was committed while the statement waited for the lock of the card.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create function lintel_status_fits(card uuid, parent uuid, new_status text) returns boolean language plpgsql volatile as $$
begin
  if new_status = 'ARCHIVED' then
    return not exists (select from cards c where c.parent_id = card and c.status = 'ACTIVE');
  end if;
  -- The lock has a concurrent request that archives the parent wait, and then find this card.
  perform 1 from cards c where c.id = parent and c.status = 'ACTIVE' for share;
  return parent is null or found;
end $$;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function lintel_status_fits(uuid, uuid, text)');
}
