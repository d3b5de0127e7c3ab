// The invented depot, running, with what it holds. Called by the specs of this folder.
import { fileURLToPath } from 'node:url';
import { administrator, makeActor, type TestActor } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The folder of its schemas. */
export const SCHEMAS = here('schemas');

/** A product as it was created, by the names of its fields. */
export interface Product {
  id: number;
  name: string;
  kind: 'tool' | 'toy' | 'book';
  price: string;
  stock: number;
  weight: number | null;
  added: string | null;
  season: string | null;
  /** Empty for those that were never checked. */
  checked: string;
  active: boolean;
  maker: number;
  suppliers: number[];
  tags: string[];
  note: string;
  cost: number;
  discount: number;
}

/** A maker as it was created. */
export interface Maker {
  id: number;
  name: string;
  country: number;
  listed: boolean;
  rating: number;
  margin: number;
}

/** A running depot. */
export interface Depot {
  site: TestSite;
  actors: Record<'boss' | 'clerk' | 'guest', TestActor>;
  products: Product[];
  makers: Maker[];
}

const NAMES = [
  'Anvil',
  'Ämber',
  'Bolt',
  'bolt cutter',
  'Crane',
  'Doll',
  'Éclair mould',
  'Fuse',
  'Gear 100%',
  'Hammer_2',
];
const KINDS = ['tool', 'toy', 'book'] as const;

/** Starts a depot of its own; close `site` afterwards. */
export async function openDepot(environment: Record<string, string> = {}): Promise<Depot> {
  const site = await startTestSite(SCHEMAS, {
    ROLES_FILE: here('roles.json'),
    SITE_TIMEZONE: 'Europe/Tallinn',
    ...environment,
  });
  const boss = administrator(site);
  const actors = { boss, clerk: await makeActor(site, 'clerk'), guest: await makeActor(site, 'guest') };
  const { writer } = site.site;
  const countries: number[] = [];
  const makers: Maker[] = [];
  const products: Product[] = [];
  await writer.batch(async ({ create }) => {
    for (const [name, code] of [
      ['Estonia', 'EE'],
      ['Finland', 'FI'],
    ])
      countries.push(await create('country', { name, code }));
    for (let at = 0; at < 5; at++) {
      const maker = {
        name: `Maker ${'ABCDE'[at]}`,
        country: at === 4 ? 0 : countries[at % 2]!,
        listed: at !== 3,
        rating: at % 3,
        margin: at * 10,
      };
      makers.push({ id: await create('maker', maker), ...maker });
    }
    for (let at = 0; at < 30; at++) {
      const product = {
        name: `${NAMES[at % NAMES.length]!}${at < 10 ? '' : ` ${at}`}`,
        kind: KINDS[at % 3]!,
        price: ((at * 37) % 50) / 4 < 10 ? (((at * 37) % 50) / 4).toFixed(2) : '10.50',
        stock: at % 7,
        weight: at % 4 === 0 ? null : at / 2,
        added: at % 5 === 0 ? null : `2024-0${(at % 9) + 1}-15T10:00:00`,
        season: at % 6 === 0 ? null : `2024-0${(at % 9) + 1}-01`,
        checked: at % 3 === 0 ? '' : `2024-0${(at % 8) + 1}-02`,
        active: at % 8 !== 7,
        maker: at % 6 === 5 ? 0 : makers[at % 5]!.id,
        suppliers: [makers[at % 5]!.id, makers[(at + 2) % 5]!.id].slice(0, at % 3),
        tags: ['red', 'blue', 'green'].slice(0, at % 4),
        note: `Note ${at}`,
        cost: at * 3,
        discount: at % 5,
      };
      const sent = { ...product, added: product.added && `${product.added}Z`, checked: product.checked || undefined };
      products.push({ id: await create('product', sent), ...product });
    }
  });
  return { site, actors, products, makers };
}
