// Permission presets: `"permissions": "public-read"`. Rules of traits take precedence over those of a preset.
import { ACCOUNT_TRAIT, holdsAccounts } from '../load/accounts.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import type { PermissionPreset, PermissionSchema, RuleSchema } from '../../model/schema/permission-schema.js';
import type { Report } from '../../model/option-check.js';

/** Capability of site administrators: required where a schema declares no permissions. */
export const MANAGERS = 'manage_options';

/** Presets by name, with their readers; writing is for administrators. */
export const PRESETS: Readonly<Record<PermissionPreset, { read: RuleSchema; description: string }>> = {
  closed: { read: MANAGERS, description: 'holders of manage_options read and write; the same as no permissions' },
  'signed-in-read': { read: { signedIn: true }, description: 'signed-in callers read' },
  'public-read': { read: true, description: 'everybody reads' },
};

/** Removes a preset from a schema before its traits see it; returns it. */
export function takePreset(schema: ResourceSchema): PermissionPreset | undefined {
  const written: unknown = schema.permissions;
  if (typeof written !== 'string') return undefined;
  delete schema.permissions;
  return written as PermissionPreset;
}

/** Sets the rule of a preset where no trait has one. Accounts only use rules of their own. */
export function applyPreset(schema: ResourceSchema, preset: PermissionPreset | undefined, report: Report): void {
  if (preset === undefined) return;
  if (preset !== 'closed' && holdsAccounts(schema)) {
    const hint = 'write rules, such as "rules": {"read": {"is": {"id": "$me"}}}';
    return report(['permissions'], `"${preset}" does not open a resource with the trait "${ACCOUNT_TRAIT}"`, hint);
  }
  const permissions: PermissionSchema = schema.permissions ?? {};
  schema.permissions = { ...permissions, rules: { read: PRESETS[preset].read, ...permissions.rules } };
}
