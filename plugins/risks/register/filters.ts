import { Type, type ResourceFilter } from '@lintel/sdk';
import { UUID } from '../fields.js';
import { OVERDUE } from './repository.js';

/** Days of a column that holds an instant, the days included. */
function days(column: string, what: string): { from: ResourceFilter; to: ResourceFilter } {
  const day = (text: string) =>
    Type.String({ format: 'date', description: `${what} ${text}, that day (UTC) included.` });
  return {
    from: {
      schema: day('from'),
      sql: (value, bind, r) => `${r}.${column} >= ${bind(value)}::date::timestamp at time zone 'UTC'`,
    },
    to: {
      schema: day('up to'),
      sql: (value, bind, r) => `${r}.${column} < (${bind(value)}::date + 1)::timestamp at time zone 'UTC'`,
    },
  };
}
const [created, closed] = [days('created_at', 'Made'), days('closed_at', 'Closed')];

/** The filters of lists, metrics and the matrix, so that each number has a list of the counted risks. */
export const FILTERS = {
  status: 'any',
  category: 'any',
  level: 'any',
  initial_level: 'any',
  residual_level: 'any',
  initial_probability: 'any',
  initial_impact: 'any',
  residual_probability: 'any',
  residual_impact: 'any',
  owner: {
    schema: Type.String({
      maxLength: 4_000,
      pattern: `^(me|none|${UUID})(,(me|none|${UUID}))*$`,
      description: 'Ids of users by comma; `me` is the caller, `none` are risks without an owner.',
    }),
    sql(value, bind, r, { ctx }) {
      const owners = String(value).split(',');
      const ids = owners.flatMap((owner) => (owner === 'me' ? (ctx.actor?.id ?? []) : owner === 'none' ? [] : [owner]));
      const some = `${r}.owner_id = any(${bind(ids)}::uuid[])`;
      return owners.includes('none') ? `(${some} or ${r}.owner_id is null)` : some;
    },
  },
  overdue: {
    schema: Type.Boolean({
      description: 'Whether the target date has passed and the risk is not yet mitigated, accepted or closed.',
    }),
    sql: (value) => `${value === true ? '' : 'not '}${OVERDUE}`,
  },
  created_from: created.from,
  created_to: created.to,
  closed_from: closed.from,
  closed_to: closed.to,
} satisfies Record<string, ResourceFilter>;
