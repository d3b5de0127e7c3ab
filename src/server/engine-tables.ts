// Collects every table of a site.
import { REFRESH_TOKENS } from '../auth/token-families.js';
import { DERIVED } from '../maintenance/backfill-derived.js';
import { EVENTS, OUTBOX } from '../events/event.js';
import { RULES } from '../maintenance/recorded-rules.js';
import { IDEMPOTENCY } from '../engine/replays/idempotency.js';
import { importTable } from '../transfer/wxr/import-table.js';
import type { ModelSet } from '../model/model.js';
import type { TableModel } from '../model/table.js';
import { LEASES } from '../maintenance/lease.js';
import { APPLICATION_PASSWORDS } from '../auth/application-password-rows.js';

/** Tables of the schemas and of the engine. */
export function allTables(models: ModelSet): Map<string, TableModel> {
  const tables = new Map<string, TableModel>(models.tables);
  for (const table of [
    APPLICATION_PASSWORDS,
    REFRESH_TOKENS,
    IDEMPOTENCY,
    importTable,
    DERIVED,
    RULES,
    LEASES,
    OUTBOX,
    EVENTS,
  ])
    tables.set(table.name, table);
  return tables;
}
