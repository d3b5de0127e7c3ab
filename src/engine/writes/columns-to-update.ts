// The columns that an update reads of its item.
import type { FieldModel } from '../../model/field.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';

/** The same list for the same columns: statements are made once per list. */
const lists = new WeakMap<ResourceModel, Map<string, readonly string[]>>();

/** All columns, and those texts for searches that the values sent will change, where their stored form is needed. */
export function columnsToUpdate({ model, values, tx }: Operation): readonly string[] {
  const stored = tx!.replacedTexts(model.table!.name);
  if (stored.length === 0) return model.allColumns;
  const sent = [...model.fields.values()].filter(({ name }) => values[name] !== undefined);
  const texts = stored.filter((column) => sent.some((field) => feeds(field, column, model)));
  if (texts.length === 0) return model.allColumns;
  let ofModel = lists.get(model);
  if (!ofModel) lists.set(model, (ofModel = new Map()));
  const key = texts.join();
  let list = ofModel.get(key);
  if (!list) ofModel.set(key, (list = Object.freeze([...new Set([...model.allColumns, ...texts])])));
  return list;
}

function feeds(field: FieldModel, column: string, { search }: ResourceModel): boolean {
  return field.searchColumn === column || search?.sources.get(column)?.includes(field) === true;
}
