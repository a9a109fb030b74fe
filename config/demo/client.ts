import { LintelClient } from '@lintel/client';

/** Milliseconds; a batch of cards takes a few seconds on a slow machine. */
const TIMEOUT_MS = 120_000;

/** A client that sends the token of the account that has logged in. */
export class DemoClient extends LintelClient {
  private readonly entered: { token?: string };

  /** @param url such as `http://localhost:8920` */
  constructor(url: string) {
    const entered: { token?: string } = {};
    super({
      url,
      token: () => entered.token,
      timeoutMs: TIMEOUT_MS,
      fetch: async (request, init) => {
        try {
          return await fetch(request, init);
        } catch (error) {
          // fetch throws a TypeError if it cannot connect.
          if (!(error instanceof TypeError)) throw error;
          throw new Error(`There is no service at ${url}. Start one with: npm start`, { cause: error });
        }
      },
    });
    this.entered = entered;
  }

  /** @throws ProblemError where e-mail and password do not match */
  async logIn(email: string, password: string): Promise<void> {
    this.entered.token = (await this.post('/auth/login', { body: { email, password } })).access_token;
  }

  /**
   * Registers the first user of a workspace, who becomes its administrator.
   * @param setupCode code from the log of the service, required when the service runs on another machine
   * @throws ProblemError where a user already exists, or the code is wrong
   */
  async register(email: string, password: string, setupCode: string | undefined): Promise<void> {
    const body = {
      email,
      password,
      display_name: 'Demo Administrator',
      ...(setupCode !== undefined && { setup_code: setupCode }),
    };
    this.entered.token = (await this.post('/auth/register', { body })).access_token;
  }
}
