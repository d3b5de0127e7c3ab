// A second, empty hospital, into which a dump of the first one is loaded.
import { dumpSite } from '../../../src/transfer/dump/dump-site.js';
import { loadSite } from '../../../src/transfer/load/load-site.js';
import { CARRIED } from '../../../src/cli/dump.command.js';
import { readConfig } from '../../../src/config/config.js';
import type { Row } from '../../../src/model/query.js';
import { openSite, type OpenSite } from '../../../src/server/open-site.js';
import { nearest } from '../../../src/text/nearest-name.js';
import type { TestSite } from '../../support/start-test-site.js';
import { freshDatabase } from '../../support/fresh-database.js';

type Tables = Record<string, Row[]>;

/** Dumps a running site into a folder, loads that into an empty one and compares the rows of all tables. */
export async function openTarget(
  { config, folder: place }: TestSite,
  folder: string,
  compare: (rows: Tables, loaded: Tables) => void,
): Promise<void> {
  const database = await freshDatabase();
  const open = (url: string) =>
    openSite(
      readConfig(
        {
          SCHEMAS_DIR: config.schemasDir,
          ROLES_FILE: config.rolesFile,
          SITE_TIMEZONE: 'Europe/Tallinn',
          DATABASE_URL: url,
          MEDIA_DIR: `${place}/media-copy`,
          TOKEN_SECRET: 'a secret that only tests know',
        },
        false,
      ),
      { warn: () => {} },
      { bare: true },
    );
  const source = await open(config.database.url);
  const target = await open(database.url);
  try {
    const { models } = source;
    await source.store.snapshot((reader) =>
      dumpSite({ folder, models, reader, engine: 'test', engineTables: CARRIED }),
    );
    await loadSite({ source: folder, writer: target.writer, engineTables: CARRIED, nearest });
    compare(await rowsOf(source), await rowsOf(target));
  } finally {
    await source.close();
    await target.close();
    await database.drop();
  }
}

async function rowsOf({ models, store }: OpenSite): Promise<Tables> {
  const tables: Tables = {};
  for (const { name, columns } of models.tables.values()) {
    const rows = await store.reader.select({
      table: name,
      columns: [...columns.keys()],
      where: { op: 'true' },
      order: [],
    });
    tables[name] = rows.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
  }
  return tables;
}
