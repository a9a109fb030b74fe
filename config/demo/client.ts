import { LintelClient } from '@lintel/client';

/** A batch of cards takes longer than that on no machine the service runs on. */
const TIMEOUT_MS = 120_000;

/** The public API as the demo uses it: with the token of the account it has entered with. */
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
          // fetch says so of what it cannot reach.
          if (!(error instanceof TypeError)) throw error;
          throw new Error(`There is no service at ${url}. Start one with: npm start`, { cause: error });
        }
      },
    });
    this.entered = entered;
  }

  /** @throws ProblemError where the two do not match */
  async logIn(email: string, password: string): Promise<void> {
    this.entered.token = (await this.post('/auth/login', { body: { email, password } })).access_token;
  }

  /**
   * Registers the first user of a workspace, who becomes its administrator.
   * @param setupCode of the log of the service, which one on another machine asks for
   * @throws ProblemError where there is a user, or the code is not the one
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
