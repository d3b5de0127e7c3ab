// A process of its own that migrates a database, and kills itself before the step it is told: `url`, `killAt`, `tables` as JSON. Run by evolution.spec.ts.
const { load: source } = await import(process.env.BUNDLE);
const { openStore } = await source('storage/open-store');
const { migrateStore } = await source('storage/migrate-store');

const { url, killAt, tables } = JSON.parse(process.argv[2]);
const models = new Map(
  tables.map((table) => [
    table.name,
    {
      ...table,
      columns: new Map(table.columns.map((column) => [column.name, column])),
      indexes: new Map(table.indexes.map((index) => [index.name, index])),
    },
  ]),
);
const store = await openStore(url, { pool: 2, migrate: 'off' }, models);
let steps = 0;
const onStep = () => {
  if (steps++ === killAt) process.kill(process.pid, 'SIGKILL');
};
const { ran } = await migrateStore(store, models, { onStep }, 'child');
await store.close();
process.stdout.write(String(ran.length));
