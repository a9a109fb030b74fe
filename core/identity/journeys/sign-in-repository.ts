import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

const MAIL = {
  name: 'sign-in-mail',
  text: `select u.email, u.display_name, u.locale, s.created_at, s.address, s.agent from sessions s join users u on u.id = s.user_id
    where s.id = $1 and u.is_active and u.kind = 'person'`,
};

interface SignInMail {
  email: string;
  display_name: string;
  locale: string | null;
  created_at: Date;
  address: string | null;
  agent: string | null;
}

/** What the notice of a log-in contains; also of a session that has ended since. */
export async function readSignInMail(uow: UnitOfWork, sessionId: string): Promise<SignInMail | undefined> {
  return (await uow.query<SignInMail & Record<string, unknown>>(MAIL, [sessionId]))[0];
}
