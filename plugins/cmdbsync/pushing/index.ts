import type { Connector } from '@lintel/sdk';
import type { Reading } from '../reading/page.js';
import type { RunWork } from '../runs/lifecycle.js';

/** Writes changes of cards to the other system. */
export interface Pushes {
  stage(work: RunWork, connector: Connector, reading: Reading): Promise<void>;
  apply(work: RunWork, connector: Connector, reading: Reading): Promise<void>;
}
