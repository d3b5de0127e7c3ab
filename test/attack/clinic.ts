// A clinic whose schemas rely on what is safe by itself: wards that say nothing, patients with private fields, visits below
// them. For the attacks on schemas.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administrator, makeActor, type TestActor } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';

type Schema = Record<string, unknown> & { name: string };

const ward: Schema = { name: 'ward', path: 'wards', fields: { name: { type: 'string' } } };

const notice: Schema = {
  name: 'notice',
  path: 'notices',
  fields: { text: { type: 'string' }, draft: { type: 'string', contexts: ['edit'] } },
  permissions: 'public-read',
};

const patient: Schema = {
  name: 'patient',
  path: 'patients',
  fields: {
    name: { type: 'string' },
    open: { type: 'boolean', default: true },
    doctor: { type: 'reference', to: 'account' },
    insurance: { type: 'string', contexts: ['edit'] },
    risk: { type: 'integer', contexts: ['edit'] },
    alerts: { type: 'strings', contexts: ['edit'] },
    seen: { type: 'datetime', contexts: ['edit'] },
    keeper: { type: 'reference', to: 'account', contexts: ['edit'] },
    pin: { type: 'string', contexts: [] },
    trace: { type: 'string', hidden: true },
    hash: { type: 'password' },
  },
  search: { fields: ['name', 'insurance', 'pin'] },
  list: {
    orderby: ['id', 'name', 'insurance', 'risk', 'pin', 'trail', 'folded', 'relevance'],
    orderings: { trail: 'trace', folded: 'insurance_sort' },
    defaultOrderby: 'risk',
    defaultOrder: 'asc',
  },
  params: {
    filter: {
      type: 'object',
      filter: 'function',
      function: 'query-arguments',
      options: {
        arguments: {
          text: { insured: 'insurance' },
          ids: { kept: 'keeper' },
          calendar: { year: { field: 'seen', part: 'year' } },
          dates: { when: 'seen' },
          param: { danger: 'danger' },
          search: { s: { exact: 'exact', sentence: 'sentence' } },
          order: { orderby: { keys: { risk: 'risk', pin: 'pin', trace: 'trace', folded: 'insurance_sort' } } },
        },
      },
    },
    insurance: { filter: 'equals' },
    insured_by: { filter: 'contains', field: 'insurance' },
    begins: { filter: 'prefix', field: 'insurance', options: { separator: '-' } },
    min_risk: { filter: 'gte', field: 'risk' },
    risky: { filter: 'positive', field: 'risk' },
    alert: { filter: 'in', field: 'alerts' },
    no_alert: { filter: 'notIn', field: 'alerts' },
    seen_after: { filter: 'after', field: 'seen' },
    keeper: { filter: 'in' },
    pin: { filter: 'equals' },
    trace: { filter: 'equals' },
    danger: { filter: 'gte', field: 'risk' },
    open: { filter: 'equals' },
  },
  deleteParams: { force: { type: 'boolean' } },
  permissions: {
    rules: {
      read: { any: [{ is: { open: true } }, { is: { doctor: '$me' } }, 'treat_all'] },
      create: 'treat_all',
      edit: { any: [{ is: { doctor: '$me' } }, 'treat_all'] },
    },
    list: [{ param: 'danger', needs: { rule: 'edit' }, error: 'patient_danger' }],
    delete: [{ param: 'force', needs: true, error: 'patient_kept' }],
  },
  links: {
    doctor: { id: 'doctor' },
    namesakes: { to: 'patient', query: { search: 'name' } },
    keeper: { id: 'keeper' },
    insured: { to: 'patient', query: { insurance: 'insurance' } },
    risky: { to: 'patient', when: 'risk', query: { open: 'open' } },
    alarmed: { to: 'patient', when: '#alerts', query: { open: 'open' } },
    pinned: { to: 'patient', query: { pin: 'pin' } },
    traced: { path: 'trace' },
    hashed: { to: 'patient', when: 'hash', query: { open: 'open' } },
  },
};

const visit: Schema = {
  name: 'visit',
  path: 'visits',
  parent: { resource: 'patient', param: 'patient_id', field: 'patient' },
  fields: {
    patient: { type: 'reference', to: 'patient', readOnly: true },
    reason: { type: 'string' },
    note: { type: 'text', contexts: ['edit'] },
  },
  permissions: {
    rules: { read: true, create: { signedIn: true }, edit: 'treat_all' },
    retrieve: [{ param: 'context', in: ['embed'], needs: true, error: 'visit_embed' }],
  },
};

/** Names of open and closed patients are free; their groups are not. */
const group: Schema = {
  name: 'group',
  path: 'groups',
  fields: {
    title: { type: 'string' },
    members: { type: 'references', to: 'patient', contexts: ['edit'] },
  },
  permissions: { rules: { read: true, edit: 'treat_all' }, list: [{ needs: true, error: 'group_list' }] },
};

/** Tickets that anybody may take, and only those who did may read. */
const ticket: Schema = {
  name: 'ticket',
  path: 'tickets',
  fields: {
    title: { type: 'string' },
    nurse: { type: 'reference', to: 'account' },
    secret: { type: 'string', contexts: ['edit'] },
  },
  permissions: {
    rules: {
      read: { is: { nurse: '$me' } },
      create: { signedIn: true },
      edit: { signedIn: true },
      delete: { signedIn: true },
    },
  },
};

const roles = {
  firstAccount: 'manager',
  roles: {
    manager: {
      label: 'Manager',
      capabilities: ['manage_options', 'treat_all', 'list_users', 'edit_users', 'promote_users'],
    },
    doctor: { label: 'Doctor', capabilities: ['treat'] },
    nurse: { label: 'Nurse', capabilities: [] },
  },
};

/** A clinic with its callers. */
export interface Clinic {
  site: TestSite;
  actors: Record<'manager' | 'doctor' | 'nurse', TestActor>;
  close(): Promise<void>;
}

/** Starts it; through the patient filter `patient` of patients one asks for the members of a group. */
export async function openClinic(): Promise<Clinic> {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-clinic-'));
  const through = {
    ...(patient['params'] as object),
    group: { filter: 'referencedIn', resource: 'group', field: 'members' },
  };
  const schemas = [ward, notice, { ...patient, params: through }, visit, group, ticket];
  for (const schema of schemas) writeFileSync(join(folder, `${schema.name}.json`), JSON.stringify(schema, null, 1));
  const rolesFile = `${folder}.roles`;
  writeFileSync(rolesFile, JSON.stringify(roles));
  const site = await startTestSite(folder, { ROLES_FILE: rolesFile });
  const actors = {
    manager: administrator(site),
    doctor: await makeActor(site, 'doctor'),
    nurse: await makeActor(site, 'nurse'),
  };
  const close = async () => {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(rolesFile, { force: true });
  };
  return { site, actors, close };
}
