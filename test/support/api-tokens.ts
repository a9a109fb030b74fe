import { client, expectStatus, type Client, type Session } from './app.js';

export interface MadeToken {
  id: string;
  name: string;
  token: string;
}

/** Makes API tokens of users. */
export class ApiTokens {
  private count = 0;

  /** @param origin the node to which the clients send */
  constructor(private readonly origin: string) {}

  /** @param rest further members of the body, such as `address_ranges` */
  async made(owner: Session, permissions: readonly string[], rest: object = {}): Promise<MadeToken> {
    const body = { name: `Token ${++this.count}`, permissions, ...rest };
    return expectStatus(await owner.api.post<MadeToken>('/auth/tokens', body), 201, 'making a token').body;
  }

  /** A client with a new token. */
  async of(owner: Session, permissions: readonly string[]): Promise<Client> {
    return client(this.origin, (await this.made(owner, permissions)).token);
  }
}
