// The capabilities of an account.
import type { ComputedFunction } from '../../model/registry.js';

export const grantedCapabilities: ComputedFunction = {
  name: 'granted-capabilities',
  description:
    'Capabilities of an account as an object of true: all of them, or with `direct` those assigned to it alone.',
  options: {
    roles: { type: 'string', description: 'Field with the roles (default roles).' },
    extra: { type: 'string', description: 'Column with capabilities of one account alone (default extra).' },
    direct: { type: 'boolean', description: 'Only what was given to the account itself.' },
  },
  check(check, { roles = 'roles', extra = 'extra' }) {
    check.field(['roles'], String(roles), ['strings']);
    check.column(['extra'], String(extra));
  },
  returns: { type: 'object' },
  reads: ({ extra = 'extra' }) => ['id', String(extra)],
  grants: ({ direct }) => !direct,
  relations: ({ roles = 'roles' }) => [String(roles)],
  compile({ roles = 'roles', extra = 'extra', direct }) {
    return (row, { site }) => {
      const names = (row[`#${String(roles)}`] ?? []) as string[];
      const stored = row[String(extra)];
      const own = { ...Object.fromEntries(names.map((name) => [name, true])), ...(stored ? JSON.parse(stored) : {}) };
      if (direct) return own;
      const granted: Record<string, boolean> = {};
      for (const capability of site.capabilitiesOf(names)) granted[capability] = true;
      return { ...granted, ...own };
    };
  },
};
