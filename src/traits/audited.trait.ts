// Records every change of an item in the audit log, in the transaction of the change.
import { changedFields, sentFields, type AuditAction } from '../model/audit.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import type { Row } from '../model/query.js';
import type { Trait } from '../model/trait.js';

interface Options {
  /** Resource that shows the entries. */
  into: string;
}

export const auditedTrait: Trait<Options> = {
  name: 'audited',
  description: 'Who created, changed, trashed, restored or deleted an item is recorded in the resource `into`.',
  // They change the row after it is written.
  after: ['sluggable', 'nested', 'classified', 'revisioned', 'uploaded'],
  options: {
    into: { type: 'string', description: 'Resource with the trait `audit-log`.', required: true },
  },
  check(check, { into }) {
    const log = check.resource(['into'], into);
    if (log && !log.traits?.['audit-log']) check.fail(['into'], `"${into}" must have the trait "audit-log"`);
    if (into === check.schema.name) check.fail(['into'], 'an audit log does not record itself');
  },
  sideBySide: true,
  singletons: true,
  hooks: (model, { into }) => ({
    async saved(row, op, previous) {
      const fields = previous ? changedFields(model, row, previous, op) : sentFields(model, op);
      const action = actionOf(op, previous);
      if (previous && fields.length === 0 && action === 'update') return;
      await record(model, into, action, row['id'] as number, fields, op);
    },
    async removed(row, op) {
      await record(model, into, 'delete', row['id'] as number, [], op);
    },
  }),
};

function actionOf(op: Operation, previous: Row | undefined): AuditAction {
  if (op.state.trash === 'entered') return 'trash';
  if (op.state.trash === 'left') return 'restore';
  return previous ? 'update' : 'create';
}

async function record(
  model: ResourceModel,
  into: string,
  action: AuditAction,
  item: number,
  fields: readonly string[],
  op: Operation,
): Promise<void> {
  const log = model.site.byName.get(into);
  if (!log?.faces.audit) return;
  const row = log.faces.audit.row({ action, resource: model.name, item, fields }, op.actor, op.site);
  await op.tx!.append(log.table!.name, row);
}
