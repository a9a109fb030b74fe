/** SQL that several repositories of decisions share, over `adr_decisions d`. */

/** The clock of versions and events, in milliseconds. */
export const NOW = "date_trunc('milliseconds', clock_timestamp())";

/** The cards linked to a decision. */
export const CARD_IDS =
  'array(select c.card_id::text from adr_cards c where c.adr_id = d.id order by c.card_id) as card_ids';

/** The content a decision is signed with; relations read from a file are a part of its Markdown. */
export const CONTENT = `d.title, d.context, d.drivers, d.options, d.decision, d.consequences, ${CARD_IDS},
  coalesce((select jsonb_agg(jsonb_build_object('type', r.type, 'adr_id', r.target_id) order by r.type, r.target_id)
    from adr_related r where r.adr_id = d.id and not r.is_imported), '[]') as related`;
