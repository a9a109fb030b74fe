const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const table = (more: object) => ({ id: 'a', kind: 'cards', title: 'A', ...more });

/** Sections that break the rules that a schema cannot express. @param user id of an account */
export const wrongSections = (user: string): object[] => [
  {
    key: 'plan',
    title: 'Plan',
    entries: [{ deliverable: 'x' }, { work_item: 'y', start_date: '2026-02-01', end_date: '2026-01-01' }],
  },
  { key: 'plan', title: 'Plan' },
  {
    key: 'own',
    title: 'Own',
    entries: [{ role: 'x' }],
    tables: [table({ filter: { type: 'Nothing' } }), table({})],
  },
  {
    key: 'managers_and_stakeholders',
    title: 'People',
    entries: [{ user_id: NOWHERE }, { user_id: user }],
    tables: [
      table({ id: 'b', columns: ['attributes.nothing', 'lifecycle_phase'] }),
      table({ id: 'c', filter: { stakeholder_id: 'me' } }),
      table({ id: 'd', kind: 'gaps', columns: ['subtype'] }),
      table({ id: 'e', kind: 'roadmap', target_date: '2030-01-01' }),
      table({ id: 'h', filter: { 'data_quality[lt]': '50' } }),
      table({ id: 'i', columns: ['data_quality'] }),
      table({ id: 'f', filter: { nothing: 'x', created_since: 'low' } }),
      table({ id: 'g', kind: 'costs', columns: ['lifecycle_phase'] }),
    ],
  },
];

/** What is wrong with them. */
export const FAULTS = [
  '/sections/0/entries/0/deliverable',
  '/sections/0/entries/0/work_item',
  '/sections/0/entries/1/end_date',
  '/sections/1/key',
  '/sections/2/entries',
  '/sections/2/tables/0/filter/type',
  '/sections/2/tables/1/id',
  '/sections/3/entries/0/user_id',
  '/sections/3/tables/0/columns/0',
  '/sections/3/tables/1/filter/stakeholder_id',
  '/sections/3/tables/2/columns',
  '/sections/3/tables/3/target_date',
  '/sections/3/tables/4/filter/data_quality[lt]',
  '/sections/3/tables/5/columns/0',
  '/sections/3/tables/6/filter/created_since',
  '/sections/3/tables/6/filter/nothing',
  '/sections/3/tables/7/columns/0',
];
