// Items that existed before a trait with states was added: only the author of the schema knows their state.
import type { Adoption } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import { and, not, oneOf } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';

const STATUS = 'status';
const MAX_IDS = 10;

/** They get the `backfill` of the field `status`; a status that they had already must be one of `states`. */
export function adoptStates(model: ResourceModel, states: readonly string[]): Adoption {
  const { backfill, allowStored = [] } = model.fields.get(STATUS)?.schema ?? {};
  const known = [...states, ...allowStored] as Scalar[];
  return {
    async obstacle(reader, had) {
      if (had(STATUS)) {
        const where = and(model.rowScope, not(oneOf(STATUS, known)));
        const rows = await reader.select({
          table: model.table!.name,
          columns: ['id'],
          where,
          order: [],
          limit: MAX_IDS,
        });
        if (rows.length === 0) return undefined;
        const ids = rows.map(({ id }) => id).join(', ');
        const message = `items have a status that is none of ${states.join(', ')}: ids ${ids}`;
        return { message, hint: 'Change these first: nobody could read them.' };
      }
      if (typeof backfill === 'string' && known.includes(backfill)) return undefined;
      const message = 'nothing says which status the items have that are there';
      const hint = `Declare it: "status": {"type": "string", "backfill": "${states[0]}"}, or another of ${states.join(', ')}.`;
      return { message, hint };
    },
    row: (_row, { had }) => (had(STATUS) ? {} : { [STATUS]: backfill }),
  };
}
