// Fields that a behaviour cannot do without: named by an option, or by its default. Called by the checks of the traits at boot.
import type { ResourceModel } from '../model/model.js';
import type { Report } from '../model/registry.js';

/** Reports the fields that are not there, each at its option. */
export function needFields(
  model: ResourceModel,
  fields: readonly (readonly [option: readonly (string | number)[], name: string | undefined])[],
  report: Report,
): void {
  for (const [option, name] of fields) {
    if (name !== undefined && (model.fields.has(name) || model.table?.columns.has(name))) continue;
    report([...option], name === undefined ? 'name a field of this resource' : `there is no field "${name}" here`);
  }
}
