import type { Knex } from 'knex';

/**
 * Columns and indexes for lists, search and facets of cards. The words of a card are stored, because the recheck of an index
 * scan would compute the expression again for each row. Words are separated by white space and not by PostgreSQL's parser,
 * which treats parts of hashes as numbers. Indexes for sorts contain only active cards, in the order of the list: value,
 * then id.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
drop index cards_words;
alter table cards add column words tsvector not null generated always as (array_to_tsvector(array_remove(string_to_array(search_text, ' '), ''))) stored;
create index cards_words on cards using gin (words);

create index cards_created on cards (created_at, id) where status = 'ACTIVE';
create index cards_quality on cards (data_quality, id) where status = 'ACTIVE';
create index cards_types on cards (type collate "C", id) where status = 'ACTIVE';
create index cards_subtypes on cards (subtype collate "C", id) where status = 'ACTIVE';
create index cards_approval on cards (approval_status collate "C", id) where status = 'ACTIVE';
create index cards_approval_name on cards (approval_status, name_key, id) where status = 'ACTIVE';
-- The few names with symbols that are not words, and therefore not in an index over words.
create index cards_pictures on cards (id) where (name || coalesce(alias, '')) ~ '[\\u2190-\\u2bff\\U0001F000-\\U0001FAFF]';

-- Text without case and accents, for comparisons with values in JSON documents.
create function lintel_fold(value text) returns text immutable strict parallel safe language sql as $$
  select case when octet_length(value) = length(value) then lower(value)
    else replace(replace(lower(upper(regexp_replace(normalize(value, NFKD),
      '[\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\u3099\\u309a\\ufe20-\\ufe2f]+', '', 'g'))), 'ß', 'ss'), 'ς', 'σ') end
$$;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop function lintel_fold(text);
drop index cards_created, cards_quality, cards_types, cards_subtypes, cards_approval, cards_approval_name, cards_pictures;
alter table cards drop column words;
create index cards_words on cards using gin (to_tsvector('simple'::regconfig, search_text));
`);
}
