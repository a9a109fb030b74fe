/**
 * The query builder of units of work, reads and migrations. It has the type of knex and not an interface of the SDK,
 * because models of Objection are bound to it, and migrations may build any schema with it. knex is a peer dependency: at
 * run time it is the instance of the host. Other files of the SDK import the type from here.
 */
export type { Knex } from 'knex';
