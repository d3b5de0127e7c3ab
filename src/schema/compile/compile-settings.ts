// Fields that set settings of the site, and fields whose defaults follow them.
import type { ResourceModel } from '../../model/model.js';
import type { Row } from '../../model/query.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import type { FieldModel } from '../../model/field.js';
import type { SiteSettings } from '../../model/site/site-settings.js';
import type { Report } from '../../model/option-check.js';

interface Source {
  model: ResourceModel;
  /** The schema before settings were applied to it. */
  written: ResourceSchema;
  report: Report;
}

/** Links the fields that set settings with these settings, and with the fields whose defaults they are. */
export function linkSettings(sources: readonly Source[], configured: Readonly<SiteSettings>): void {
  const owners = new Map<keyof SiteSettings, string>();
  for (const { model, report } of sources) {
    for (const field of model.fields.values()) {
      const name = field.schema.setting as keyof SiteSettings | undefined;
      if (name === undefined) continue;
      const owner = owners.get(name);
      const at = ['fields', field.name, 'setting'];
      if (owner !== undefined) report(at, `the field "${owner}" sets "${name}" already`, 'leave one of them out');
      owners.set(name, `${model.name}.${field.name}`);
      setsSetting(field, name, configured);
    }
  }
  for (const { model, written, report } of sources) {
    for (const field of model.fields.values()) {
      const { defaultSetting, enabledBy } = written.fields[field.name] ?? {};
      const owner = owners.get(enabledBy as keyof SiteSettings);
      if (owner !== undefined)
        report(
          ['fields', field.name, 'enabledBy'],
          `fields are enabled at the start, and "${owner}" changes "${enabledBy}" later`,
          'leave one of them out',
        );
      if (owners.has(defaultSetting as keyof SiteSettings)) field.defaultSetting = defaultSetting as keyof SiteSettings;
    }
  }
}

/** Shows the configured value where none is stored. */
function setsSetting(field: FieldModel, name: keyof SiteSettings, configured: Readonly<SiteSettings>): void {
  const { column, toView } = field;
  // A reference to nothing is 0.
  const isEmpty = (value: unknown) => value === null || value === undefined || (value === 0 && field.targets);
  const stored = (row: Row) => {
    if (isEmpty(row[column!])) return undefined;
    return typeof configured[name] === 'boolean' ? Boolean(row[column!]) : row[column!];
  };
  field.setting = { name, stored };
  field.toView = (row, scope) => (stored(row) === undefined ? configured[name] : toView!(row, scope));
}
