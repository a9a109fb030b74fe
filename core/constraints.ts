import { registerConstraint } from './foundation/db/constraints.js';
import { invalid, problem, type Problem } from './foundation/errors.js';

/** The problem returned for each violated constraint of the core's tables. */
const CONSTRAINTS: Record<string, () => Problem> = {
  cards_name_taken: () => problem('name_taken'),
  cards_external_id_taken: () => problem('external_id_taken'),
  cards_not_own_ancestor: () => problem('cycle'),
  cards_parent_id_fkey: () => problem('conflict'),
  relations_exists: () => problem('relation_exists'),
  relations_one_source: () => problem('cardinality'),
  relations_one_target: () => problem('cardinality'),
  user_identities_taken: () => problem('identity_taken'),
  users_email_taken: () => problem('email_taken'),
  invitations_open: () => problem('invitation_exists'),
  roles_pkey: () => problem('key_taken'),
  card_stakeholders_taken: () => problem('stakeholder_exists'),
  card_types_pkey: () => problem('key_taken'),
  relation_types_pkey: () => problem('key_taken'),
  tag_groups_name_taken: () => problem('name_taken'),
  tags_name_taken: () => problem('name_taken'),
  card_tags_single: () => invalid({ field: '/tag_ids', reason: 'names several tags of a group that allows one' }),
  card_tags_restricted: () => invalid({ field: '/tag_ids', reason: 'names a tag that is not for cards of this type' }),
  relations_source: () => invalid({ field: '/source_id', reason: 'names no card' }),
  relations_target: () => invalid({ field: '/target_id', reason: 'names no card' }),
  relations_self: () => invalid({ field: '/target_id', reason: 'must not equal source_id' }),
  relations_dates: () => invalid({ field: '/valid_to', reason: 'must not be before valid_from' }),
};

/** Registers the problems for the constraints of the core's tables. */
export function registerCoreConstraints(): void {
  for (const [name, make] of Object.entries(CONSTRAINTS)) registerConstraint(name, make);
}
