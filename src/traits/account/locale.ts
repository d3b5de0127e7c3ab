// The locale of an account; that of the site where it has none.
import { invalidParams } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { withoutLengthLimit } from './names.js';

/** Shows the locale of the site where an account has none. */
export function showSiteLocale(model: ResourceModel, name: string): void {
  const field = model.fields.get(name);
  if (!field?.column) return;
  const { column } = field;
  // The setting of the site lists the locales, not the schema file.
  withoutLengthLimit(field);
  field.toView = (row, { site }) => row[column] || site.settings.locale;
}

/** Rejects a locale that the site does not know. */
export function checkLocale(op: Operation, name: string | undefined): void {
  const value = name === undefined ? undefined : op.values[name];
  const { locales, locale } = op.site.settings;
  if (typeof value !== 'string' || value === '' || value === locale || locales.includes(value)) return;
  const message = `${name} must be one of ${locales.map((each) => JSON.stringify(each)).join(', ')}.`;
  throw invalidParams([{ param: name!, code: 'rest_not_in_enum', message }]);
}
