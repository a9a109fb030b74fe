/** A landscape with the cases that reports must tell apart. */
import { expectStatus, makeUser, type Session } from '../../../test/support/app.js';

const CRITICALITY = ['missionCritical', 'businessCritical', 'businessOperational', 'administrative'];
const TIME = ['tolerate', 'invest', 'migrate', 'eliminate'];
const PHASES = [
  {},
  { plan: '2031-01-01' },
  { phaseIn: '2020-01-01', active: '2021-01-01' },
  { active: '2015-01-01', phaseOut: '2020-06-01' },
  { active: '2012-01-01', endOfLife: '2022-01-01' },
  { active: '2012-01-01', endOfLife: '2040-01-01' },
];

/** The same numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

export interface Landscape {
  admin: Session;
  member: Session;
  /** Sees no costs. */
  viewer: Session;
  /** Sees no cards of the type BusinessCapability, and no costs. */
  narrow: Session;
  /** Sees no costs by the role, but those of three applications as a stakeholder. */
  owner: Session;
  applications: string[];
  capabilities: string[];
}

/** Fills a workspace: 12 capabilities in 4 levels, 60 applications, 20 components, relations, stakeholders, archived cards. */
export async function fill(admin: Session): Promise<Landscape> {
  const { api } = admin;
  const next = numbers(7);
  const member = await makeUser(admin, 'member');
  const viewer = await makeUser(admin, 'viewer');
  const seen = ['cards.view', 'relations.view', 'stakeholders.view', 'reports.view'];
  expectStatus(
    await api.post('/roles', {
      key: 'narrow',
      label: 'Narrow',
      permissions: seen,
      types: { BusinessCapability: { 'cards.view': false } },
    }),
    201,
    'making a role',
  );
  const narrow = await makeUser(admin, 'narrow');
  const owner = await makeUser(admin, 'viewer');
  // Before there are cards, because the scores of existing ones would follow by a job.
  expectStatus(
    await api.post('/metamodel/types/Application/stakeholder-roles', {
      key: 'cost_owner',
      label: 'Cost owner',
      permissions: { 'card.view_costs': true },
    }),
    201,
    'making a stakeholder role',
  );
  const card = async (body: Record<string, unknown>): Promise<string> =>
    expectStatus(await api.post('/cards', body), 201, 'making a card').body.id;
  const relate = async (type: string, source_id: string, target_id: string, attributes = {}): Promise<void> => {
    const { status } = await api.post('/relations', { type, source_id, target_id, attributes });
    if (status !== 201 && status !== 409) throw new Error(`a relation gave ${status}`);
  };
  const capabilities: string[] = [];
  for (let n = 0; n < 12; n++)
    capabilities.push(
      await card({
        type: 'BusinessCapability',
        name: `Capability ${n}`,
        ...(n % 4 > 0 && { parent_id: capabilities[n - 1] }),
      }),
    );
  const applications: string[] = [];
  for (let n = 0; n < 60; n++)
    applications.push(
      await card({
        type: 'Application',
        name: `Application ${n} <&"'>, "x"`,
        description: n % 3 ? 'Described' : null,
        subtype: [null, 'microservice', 'deployment'][n % 3],
        ...(n % 10 > 7 && { parent_id: applications[n - 1] }),
        lifecycle: PHASES[next(PHASES.length)],
        attributes: {
          ...(n % 5 && { businessCriticality: CRITICALITY[next(4)] }),
          ...(n % 7 && { timeModel: TIME[next(4)] }),
          ...(n % 4 && { costTotalAnnual: next(1_000_000) + next(100) / 100 }),
          ...(n % 6 && { numberOfUsers: next(5_000) }),
          ...(n % 2 && { commercial: n % 4 === 1 }),
        },
      }),
    );
  const components: string[] = [];
  for (let n = 0; n < 20; n++)
    components.push(
      await card({
        type: 'ITComponent',
        name: `Component ${n}`,
        lifecycle: PHASES[next(PHASES.length)],
        attributes: n % 3 ? { costTotalAnnual: next(90_000) } : {},
      }),
    );
  for (let n = 0; n < 90; n++)
    await relate('applicationToBusinessCapability', applications[next(50)]!, capabilities[next(12)]!, {
      supportType: ['leading', 'supporting', 'none'][next(3)],
    });
  for (let n = 0; n < 40; n++)
    await relate('applicationToITComponent', applications[next(60)]!, components[next(18)]!, {
      costTotalAnnual: next(10_000),
    });
  for (const n of [1, 2, 9])
    expectStatus(
      await api.post(`/cards/${applications[n]}/stakeholders`, { user_id: owner.user.id, role: 'cost_owner' }),
      201,
      'making a stakeholder',
    );
  for (const n of [1, 5, 6, 22])
    expectStatus(
      await api.post(`/cards/${applications[n]}/stakeholders`, { user_id: member.user.id, role: 'responsible' }),
      201,
      'making a stakeholder',
    );
  for (const id of [applications[55]!, components[19]!])
    expectStatus(await api.post(`/cards/${id}/archive`, {}), 200, 'archiving');
  for (const id of applications.slice(10, 14)) await api.post(`/cards/${id}/approve`, {});
  return { admin, member, viewer, narrow, owner, applications, capabilities };
}
