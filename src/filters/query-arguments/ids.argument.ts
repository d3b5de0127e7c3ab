// Items whose field contains ids: `p`, `author`, `cat`, `tag__in` and the like.
import { choiceOf, fieldNamed } from './argument-fields.js';
import { integersOf } from './argument-values.js';
import { membershipOf } from './membership.js';
import type { ArgumentKind } from './query-argument.js';
import { families, referencedBy, type Referenced } from './referenced.js';

export const idsArgument: ArgumentKind = {
  name: 'ids',
  keys: ['field', 'match', 'tree', 'slug'],
  description:
    'Ids that `field` holds: `match` any of them (default), all or none; signed: any of the positive and none of the negative. `tree` names the parent field of the referenced resource, to count descendants in.',
  compile(model, schema, report) {
    const field = fieldNamed(model, schema['field'], 'field', report);
    if (!field) return undefined;
    const numeric = field.many ? field.many.value === 'target_id' : field.columns[0]?.kind === 'integer';
    if (!numeric) report('field', `"${field.name}" holds no ids`);
    const match = choiceOf(schema, 'match', ['any', 'all', 'none', 'signed'], report);
    const tree: Referenced | undefined = schema['tree'] === undefined ? undefined : referencedBy(field, schema, report);
    const membership = membershipOf(model, field);
    return async (value, context) => {
      const ids = integersOf(value);
      const positive = ids.filter((id) => id > 0);
      const negative = match === 'signed' ? ids.filter((id) => id < 0).map((id) => -id) : [];
      const groups = (some: number[]) => (tree ? families(tree, some, context.op) : some.map((id) => [id]));
      if (match === 'none') return positive.length > 0 ? membership.none(await groups(positive), context) : undefined;
      if (positive.length > 0 || negative.length === 0)
        membership[match === 'all' ? 'all' : 'any'](await groups(positive), context);
      if (negative.length > 0) membership.none(await groups(negative), context);
    };
  },
};
