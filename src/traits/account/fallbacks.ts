// Values of fields of an account that are left empty.
import type { ResourceModel } from '../../model/model.js';
import { type Row, valueAfter } from '../../model/query.js';
import type { AccountOptions } from './options.js';

/** Fills fields that are empty: with the first group of fields in which one has a value. */
export function fillEmpty(model: ResourceModel, fallbacks: AccountOptions['fallbacks'], row: Row, current?: Row): void {
  const text = (name: string) => {
    const column = model.fields.get(name)?.column ?? name;
    return String(valueAfter(row, current, column) ?? '');
  };
  for (const [name, groups] of Object.entries(fallbacks)) {
    if (text(name) !== '') continue;
    const column = model.fields.get(name)?.column ?? name;
    row[column] = groups.map((group) => group.map(text).filter(Boolean).join(' ')).find(Boolean) ?? '';
  }
}
