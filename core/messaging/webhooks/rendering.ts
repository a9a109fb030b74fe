import type { LogEvent } from '@lintel/sdk';
import { cloudEvent, type EventLog, type EventVisibility } from '../events/index.js';
import type { Secrets } from '../../foundation/secrets/index.js';
import type { UserService } from '../../identity/users/index.js';
import { conditionsHold, typeMatches } from './filter.js';
import { ownerFault } from './owner.js';
import type { Claim } from './queue-repository.js';
import type { DisabledReason } from './schemas.js';
import { previousSecretName, secretName } from './signature.js';

/** What to do with a claim. */
export type Prepared = { claim: Claim } & (
  | { act: 'send'; body: string; secrets: string[] }
  | { act: 'skip'; reason: string }
  | { act: 'disable'; reason: DisabledReason }
);

const bodies = new WeakMap<LogEvent, string>();

/** The message for an event, serialised once for all receivers of this object. */
function bodyOf(event: LogEvent): string {
  let body = bodies.get(event);
  if (body === undefined) bodies.set(event, (body = JSON.stringify(cloudEvent(event))));
  return body;
}

/** Renders deliveries with current permissions and webhook settings. */
export class Rendering {
  constructor(
    private readonly users: UserService,
    private readonly visibility: EventVisibility,
    private readonly events: EventLog,
    private readonly secrets: Secrets,
  ) {}

  async prepare(claims: readonly Claim[]): Promise<Prepared[]> {
    const names = new Set(
      claims.flatMap(({ webhook_id, has_previous }) => [
        secretName(webhook_id),
        ...(has_previous ? [previousSecretName(webhook_id)] : []),
      ]),
    );
    const [identities, events, secrets] = await Promise.all([
      this.users.identities(claims.flatMap(({ owner_id }) => owner_id ?? [])),
      this.events.findAll(claims.map(({ position }) => position)),
      this.secrets.getAll([...names]),
    ]);
    const owners = new Map<string | null, Claim[]>();
    for (const claim of claims) owners.set(claim.owner_id, [...(owners.get(claim.owner_id) ?? []), claim]);
    const prepared: Prepared[] = [];
    for (const [owner, theirs] of owners) {
      const identity = identities.get(owner ?? '');
      const fault = ownerFault(identity);
      if (!identity || fault) {
        prepared.push(...theirs.map((claim): Prepared => ({ claim, act: 'disable', reason: fault! })));
        continue;
      }
      const see = await this.visibility.view(
        theirs.flatMap(({ position }) => events.get(position) ?? []),
        identity,
      );
      prepared.push(...theirs.map((claim) => render(claim, events.get(claim.position), see, secrets)));
    }
    return prepared;
  }
}

function render(
  claim: Claim,
  event: LogEvent | undefined,
  see: (event: LogEvent) => LogEvent | undefined,
  secrets: ReadonlyMap<string, Buffer>,
): Prepared {
  const skip = (reason: string): Prepared => ({ claim, act: 'skip', reason });
  if (!event) return skip('The event is no longer retained.');
  const seen = see(event);
  if (!seen) return skip('The owner of the webhook may not see the event.');
  // A redelivery that a user requested is sent even if the filter no longer matches.
  if (!claim.is_redelivery && !(typeMatches(claim, seen.type) && conditionsHold(claim, seen)))
    return skip('The filter of the webhook does not match the event any more.');
  const keys = [secretName(claim.webhook_id), previousSecretName(claim.webhook_id)].flatMap(
    (name) => secrets.get(name)?.toString('utf8') ?? [],
  );
  return keys.length === 0
    ? skip('The webhook has no secret.')
    : { claim, act: 'send', body: bodyOf(seen), secrets: keys };
}
