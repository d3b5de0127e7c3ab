// Applies the settings of the site to a schema: enabled fields, defaults, allowed values.
import type { ResourceSchema, Scalar } from '../../model/schema/schema.js';
import { didYouMean } from '../../text/nearest-name.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { SiteSettings } from '../../model/site/site-settings.js';
import type { Report } from '../../model/option-check.js';

type Settings = Readonly<Record<string, unknown>>;

/** The schema for a site with these settings. */
export function applySettings(schema: ResourceSchema, site: Readonly<SiteSettings>, report: Report): ResourceSchema {
  const settings = site as unknown as Settings;
  const fields = Object.entries(schema.fields).flatMap(([name, field]) => {
    if (field.enabledBy !== undefined && settings[field.enabledBy] === false) return [];
    return [[name, applyFieldSettings(name, field, settings, report)] as const];
  });
  return { ...schema, fields: Object.fromEntries(fields) };
}

function applyFieldSettings(name: string, field: FieldSchema, settings: Settings, report: Report): FieldSchema {
  const { defaultSetting, enumSetting, ...written } = field;
  if (defaultSetting === undefined && enumSetting === undefined) return field;
  if (enumSetting !== undefined) {
    if (written.enum)
      report(['fields', name, 'enum'], '"enumSetting" says already what is allowed', 'leave one of them out');
    written.enum = settings[enumSetting] as Scalar[];
  }
  if (defaultSetting !== undefined) {
    if (written.default !== undefined)
      report(['fields', name, 'default'], '"defaultSetting" says already what the default is', 'leave one of them out');
    const value = settings[defaultSetting] as Scalar;
    if (written.enum && !written.enum.includes(value)) {
      const allowed = written.enum.map(String);
      const message = `the setting is "${String(value)}", which is not one of ${allowed.join(', ')}`;
      report(['fields', name, 'defaultSetting'], message, didYouMean(String(value), allowed));
    }
    written.default = value;
  }
  return written;
}
