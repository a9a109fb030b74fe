/**
 * The query builder that units of work, reads and migrations hand out. Its type is that of knex and not a port of the SDK:
 * models of Objection are bound to it, and migrations may build any schema with it. knex is a peer dependency, of which the
 * host's instance runs; nothing else in the SDK names it.
 */
export type { Knex } from 'knex';
