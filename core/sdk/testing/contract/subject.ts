import { hasStatus } from '../checks.js';
import type { AnyBody } from '../client.js';
import type { TestUser } from '../app.js';
import type { ResourceContract } from '../resource-contract.js';

export const UNKNOWN_ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

/** One counter for all contracts of a process, so that two contracts of the same resource create different values. */
let made = 0;

/** The resource under test, with the users of the test. */
export class Subject {
  constructor(readonly spec: ResourceContract) {}

  get path(): string {
    return this.spec.path;
  }

  writer(): Promise<TestUser> {
    return this.spec.app.asUser(this.spec.writer ?? 'architect');
  }

  reader(): Promise<TestUser> {
    return this.spec.app.asUser(this.spec.reader ?? 'viewer');
  }

  /** A valid body that differs from all earlier ones. */
  async body(): Promise<Record<string, unknown>> {
    return (await this.spec.create(++made)) as Record<string, unknown>;
  }

  /** Creates a resource. */
  async make(): Promise<{ body: AnyBody; etag: string; path: string }> {
    const writer = await this.writer();
    const { body, headers } = hasStatus(await writer.post(this.path, await this.body()), 201, `POST ${this.path}`);
    return { body, etag: headers.get('etag') ?? '', path: `${this.path}/${body.id}` };
  }
}
