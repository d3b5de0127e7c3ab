// Passwords: hashed before they are stored, never shown.
import type { FieldType } from '../model/registry.js';
import { plainValue } from '../values/keywords.js';
import { passwordLimits, passwordRule } from '../values/password-rule.js';

export const passwordField: FieldType = {
  name: 'password',
  description: 'A password. Stored as an argon2id hash, never shown.',
  keys: { error: { type: 'string', format: 'code' } },
  value: (field) => plainValue('string', field),
  compile(field) {
    const column = (field.column = field.schema.column ?? field.name);
    const { renamedFrom } = field.schema;
    field.columns = [
      {
        name: column,
        kind: 'varchar',
        length: 255,
        default: '',
        nullable: false,
        contentType: 'hash',
        ...(renamedFrom ? { renamedFrom } : {}),
      },
    ];
    field.contexts = new Set();
    field.limits = () => passwordLimits(field.schema);
    field.rule = passwordRule(field.rule, field.schema.error ?? 'rest_invalid_param');
    field.prepare = (value, op) => op.site.hashPassword(value as string);
    // Null takes the password away: no password has an empty hash.
    field.toStore = (value, draft) => {
      draft.row[column] = (value as string | null) ?? '';
    };
  },
};
