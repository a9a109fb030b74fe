/** The filter language and the values of ServiceNow. */
import t from 'tap';
import type { ConnectorFault } from '@lintel/sdk';
import { filterOf, queryOf } from '../connectors/servicenow/query.js';
import { dateTime, decoded, encoded, textOf, typeOf } from '../connectors/servicenow/values.js';
import { Tables, idOf } from './simulators/servicenow-tables.js';

const of = (fault: ConnectorFault) => ({ fault, message: /./ });
const bounded = (filter: string | undefined): string => queryOf(filterOf(filter), ['sys_id>m']);

t.test('each alternative of a filter has the conditions of the connector', (t) => {
  for (const [filter, query] of [
    [undefined, 'sys_id>m^ORDERBYsys_id'],
    ['active=true', 'sys_id>m^active=true^ORDERBYsys_id'],
    ['a=1^ORb=2^c=3', 'sys_id>m^a=1^ORb=2^c=3^ORDERBYsys_id'],
    ['a=1^NQb=2^ORc=3', 'sys_id>m^a=1^NQsys_id>m^b=2^ORc=3^ORDERBYsys_id'],
    ['^a=1^ORDERBYDESCname^GROUPBYclass^EQ', 'sys_id>m^a=1^ORDERBYsys_id'],
    ['department.nameLIKEORDERBY', 'sys_id>m^department.nameLIKEORDERBY^ORDERBYsys_id'],
    ['nameISEMPTY^ORnameSTARTSWITHNQ', 'sys_id>m^nameISEMPTY^ORnameSTARTSWITHNQ^ORDERBYsys_id'],
  ] as const)
    t.equal(bounded(filter), query);
  t.equal(queryOf(filterOf(undefined), []), 'ORDERBYsys_id');
  t.strictSame(filterOf('a=1^ORb.c=2^NQd>3').fields, ['a', 'b.c', 'd']);
  t.end();
});

t.test('a filter that may be beside the conditions of the connector is refused', (t) => {
  for (const filter of [
    'ORa=1',
    'a=1^NQORb=2',
    'a=1^NQ',
    'NQa=1',
    'a=1^^NQb=2',
    'a=1^RLQUERYtask.ci,>=1^x=1^ENDRLQUERY',
    'GOTOname>=a',
    '123TEXTQUERY321=x',
    '(a=1^b=2)',
    '=1',
    ' a=1',
  ])
    t.throws(() => filterOf(filter), of('invalid_settings'), filter);
  t.end();
});

t.test('no filter shows records in front of the position', (t) => {
  const tables = new Tables();
  tables.fill(60);
  const middle = idOf('server 7');
  for (const filter of [
    'operational_status=1^ORoperational_status=2',
    'operational_status=1^NQoperational_status=2',
    'nameSTARTSWITHsrv^NQname=x^NQdepartment.nameLIKEdepartment',
    'operational_status=1^NQmonitor=true^ORmonitor=false^ORDERBYDESCname',
  ]) {
    const all = tables.select('cmdb_ci_server', queryOf(filterOf(filter), []));
    const behind = tables.select('cmdb_ci_server', queryOf(filterOf(filter), [`sys_id>${middle}`]));
    t.equal(all.length, 60, filter);
    t.strictSame(
      behind,
      all.filter(({ sys_id }) => sys_id! > middle),
      filter,
    );
  }
  t.end();
});

t.test('values by the types of their fields', (t) => {
  t.equal(decoded('true', typeOf('boolean')), true);
  t.equal(decoded('0', typeOf('boolean')), false);
  t.equal(decoded('maybe', typeOf('boolean')), 'maybe');
  t.equal(decoded('-12.50', typeOf('decimal')), -12.5);
  t.equal(decoded('9007199254740993', typeOf('longint')), '9007199254740993');
  t.equal(decoded('0x10', typeOf('integer')), '0x10');
  t.equal(decoded('2026-03-29 01:30:00', typeOf('glide_date_time')), '2026-03-29T01:30:00Z');
  t.equal(decoded('2026-03-29 01:30:00', typeOf('glide_date')), '2026-03-29');
  t.equal(decoded('2026-03-29 01:30:00', typeOf('string')), '2026-03-29 01:30:00');
  t.strictSame(decoded('a, b,', typeOf('glide_list')), ['a', 'b']);
  t.equal(decoded('007', typeOf('string')), '007');
  t.equal(decoded(null, typeOf('integer')), null);
  t.equal(textOf({ link: 'https://x', value: 'a' }), 'a');
  t.equal(textOf({ display_value: 'A', value: '' }), null);
  t.equal(textOf({ display_value: 'A', value: 'a' }, 'display_value'), 'A');
  t.equal(textOf('a', 'display_value'), 'a');
  t.equal(textOf(undefined), undefined);
  t.throws(() => textOf({ value: {} }), of('invalid_answer'));
  t.end();
});

t.test('values as they are written', (t) => {
  t.equal(encoded(null, 'text', 'x'), '');
  t.equal(encoded(true, 'boolean', 'x'), 'true');
  t.equal(encoded(1.5, 'number', 'x'), '1.5');
  t.equal(encoded('2026-03-29T03:30:00+02:00', 'datetime', 'x'), '2026-03-29 01:30:00');
  t.equal(encoded('2026-03-29 01:30:00', 'datetime', 'x'), '2026-03-29 01:30:00');
  t.equal(encoded('2026-03-29', 'datetime', 'x'), '2026-03-29 00:00:00');
  t.equal(encoded('soon', 'datetime', 'x'), 'soon');
  t.equal(encoded('2026-03-29T23:00:00Z', 'date', 'x'), '2026-03-29');
  t.equal(encoded(['a', { id: 'b' }], 'references', 'x'), 'a,b');
  t.equal(encoded({ id: 'a' }, 'reference', 'x'), 'a');
  t.throws(() => encoded({ a: 1 }, 'text', 'x'), of('refused'));
  t.throws(() => encoded(['a'], 'text', 'x'), of('refused'));
  t.equal(dateTime('yesterday'), undefined);
  t.end();
});
