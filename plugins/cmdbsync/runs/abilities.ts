import { ConnectorError, type Connector } from '@lintel/sdk';
import type { Mapping } from '../mappings/definition.js';
import type { Run } from './definition.js';

/**
 * Checks that a connector can do what a run needs.
 * @returns whether all records have to be read, because the connector reads no single ones
 * @throws ConnectorError `invalid_settings`
 */
export function checkAbilities(
  connector: Pick<Connector, 'get' | 'update' | 'create'>,
  { creates_remote, direction: allowed }: Pick<Mapping, 'creates_remote' | 'direction'>,
  { direction }: Pick<Run, 'direction'>,
): { isFull: boolean } {
  if (direction === 'pull') return { isFull: false };
  const refuse = (text: string): ConnectorError => new ConnectorError('invalid_settings', text);
  if (allowed === 'pull') throw refuse('The mapping does not write to the other system any more.');
  if (!connector.update) throw refuse('The connector cannot change records; a run with the direction pull reads them.');
  if (creates_remote && !connector.create) throw refuse('The connector cannot create records.');
  if (!connector.get && direction === 'push')
    throw refuse('The connector reads no single records; a run with the direction both reads all.');
  return { isFull: !connector.get };
}
