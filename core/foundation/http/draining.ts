/**
 * The shutdown state of a node. In the first phase it still serves requests but reports that it is not ready and closes
 * connections after each response, so that load balancers and clients move to other nodes; in the second it rejects new
 * requests and completes the running ones. Shared by all app instances of a node.
 */
export class Draining {
  private state: 'serving' | 'leaving' | 'refusing' = 'serving';

  /** Whether clients should use another node. */
  get isOn(): boolean {
    return this.state !== 'serving';
  }

  /** Whether new requests are rejected. */
  get refuses(): boolean {
    return this.state === 'refusing';
  }

  /** Cannot be undone: the node is going to stop. */
  begin(): void {
    if (this.state === 'serving') this.state = 'leaving';
  }

  refuse(): void {
    this.state = 'refusing';
  }
}
