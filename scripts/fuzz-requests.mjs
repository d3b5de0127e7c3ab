// Generates the requests of `npm run fuzz`: request n of a seed is always the same. Most are mutations of nearly valid
// requests, because those get furthest.

/** Seeded pseudo-random choices; `below` returns integers from 0 to below `most`. */
export function chance(seed) {
  let state = seed >>> 0;
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most) => Math.floor(next() * most);
  const pick = (list) => list[below(list.length)];
  // `wild`: the share of values that are hostile.
  return { below, pick, maybe: (share) => next() < share, wild: pick([0, 0.03, 0.1, 0.3, 1]) };
}

const NUMBERS = [0, -1, 1, 2, 7, 100, 101, 2 ** 31, 2 ** 53, 1e21, -1e308, 0.1, NaN, Infinity].map(String);
const TEXTS = [
  ['', ' ', 'a', 'null', 'true', 'false', '[]', '{}', '__proto__', 'constructor', 'toString', 'any', 'all', 'trash'],
  ['\0', '\u0001', '\u007f', '\r\nX-Injected: 1', '\u202e', '\ufeff', '\ud800', '😀', '中', 'ß', 'İ', 'é', '\uffff'],
  [
    "'",
    '"',
    '`',
    '\\',
    '%',
    '_',
    "' OR 1=1 --",
    '"; DROP TABLE contents; --',
    '%00',
    '%ff%fe',
    '%',
    '%%%',
    '\\u0000',
    '$1',
    '?',
  ],
  [
    '<script>alert(1)</script>',
    '<img src=x onerror=1>',
    '<!-- wp:x -->',
    '[caption]',
    '&#x0;',
    '&amp',
    '<'.repeat(50),
    '<a href="',
  ],
  ['../../etc/passwd', '/', '//', '.', '..', 'C:\\x', 'http://127.0.0.1/', 'javascript:1', 'a@b.co', 'x'.repeat(300)],
  [
    '2024-01-01T00:00:00',
    '2024-02-30',
    '0000-00-00T00:00:00',
    '9999-12-31T23:59:59',
    '2024-01-01T00:00:00+99:99',
    '-1',
    'now',
  ],
  [
    'publish',
    'draft',
    'future',
    'private',
    'pending',
    'inherit',
    'approved',
    'hold',
    'spam',
    'date',
    'id',
    'slug',
    'desc',
    'asc',
    'edit',
    'embed',
    'view',
  ],
].flat();
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  '0',
  '-1',
  'raw',
  'rendered',
  'id',
  '$where',
  'a.b',
  'a[b]',
];
const PARAMS = [
  'page',
  'per_page',
  'offset',
  'search',
  'include',
  'exclude',
  'order',
  'orderby',
  'status',
  '_fields',
  '_embed',
  '_method',
  '_envelope',
  '_pretty',
  '_jsonp',
  'context',
  'force',
  'reassign',
  'password',
  'slug',
  'after',
  'before',
  'parent',
  'author',
  'categories',
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'];
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'image/png',
  '',
  'application/json;;',
  'APPLICATION/JSON',
];
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A random text; one in two hundred is long. */
function text(random) {
  if (random.maybe(0.005))
    return random.pick(['"', 'a', '<', '\n', '中', '[', '&', ' ']).repeat(random.pick([10_000, 70_000, 300_000]));
  if (random.maybe(0.3)) return random.pick(TEXTS) + random.pick(TEXTS);
  return random.pick(TEXTS);
}

function value(random, depth = 0) {
  const kind = random.below(depth > 3 ? 5 : 8);
  if (kind < 2) return text(random);
  if (kind === 2) return Number(random.pick(NUMBERS));
  if (kind === 3) return random.pick([true, false, null]);
  if (kind === 4) return 1 + random.below(40);
  if (kind === 5) return Array.from({ length: random.pick([0, 1, 2, 5, 200]) }, () => value(random, depth + 2));
  const members = Array.from({ length: random.below(4) }, () => [
    random.maybe(0.5) ? random.pick(KEYS) : text(random),
    value(random, depth + 1),
  ]);
  return Object.fromEntries(members);
}

/** A value that usually fits the schema of a parameter. */
function fitting(random, schema = {}) {
  if (random.maybe(random.wild)) return value(random);
  if (schema.enum) return random.pick(schema.enum);
  const type = [schema.type].flat()[0];
  if (type === 'integer' || type === 'number') return 1 + random.below(60);
  if (type === 'boolean') return random.maybe(0.5);
  if (type === 'array') return Array.from({ length: random.below(4) }, () => fitting(random, schema.items));
  if (type === 'object') {
    const names = Object.keys(schema.properties ?? {}).filter(() => random.maybe(0.4));
    return Object.fromEntries(names.map((name) => [name, fitting(random, schema.properties[name])]));
  }
  if (schema.format === 'date-time') return `20${10 + random.below(20)}-0${1 + random.below(9)}-11T10:00:00`;
  if (schema.format === 'email') return `u${random.below(1e6)}@example.org`;
  if (schema.format === 'uri') return 'https://example.org/x';
  return `${random.pick(['Text', 'text', 'Ein "Text"', '<p>Text</p>'])} ${random.below(1e6)}`;
}

function encoded(random, part) {
  try {
    return random.maybe(0.97) ? encodeURIComponent(part) : part.replace(/[^\x21-\x7e]|[#?]/g, '%ff');
  } catch {
    return '%ED%A0%80';
  }
}

function flattened(random, name, given, out, depth = 0) {
  if (typeof given === 'object' && given !== null && depth < 6) {
    for (const [key, member] of Object.entries(given).slice(0, 60))
      flattened(random, `${name}[${Array.isArray(given) && random.maybe(0.7) ? '' : key}]`, member, out, depth + 1);
  } else out.push(`${encoded(random, name)}=${encoded(random, String(given))}`);
}

function queryOf(random, args) {
  const out = [];
  for (let times = random.below(4); times > 0; times -= 1) {
    const name = nameOf(random, Object.keys(args));
    flattened(random, name, fitting(random, args[name]), out);
  }
  // The query has a limit of its own; most requests stay below it.
  const query = out.join('&');
  return random.maybe(0.99) ? query.slice(0, 6000) : query;
}

function pathOf(random, pattern) {
  const filled = pattern.replace(/\(\?P<(\w+)>[^()]*(?:\([^()]*\)[^()]*)*\)/g, (_all, name) =>
    !random.maybe(random.wild / 10)
      ? /id|parent/.test(name)
        ? String(1 + random.below(60))
        : random.pick(['post', 'publish', 'category', 'page', 'x'])
      : encoded(random, text(random).slice(0, 200)),
  );
  if (!random.maybe(random.wild / 5)) return filled;
  const at = random.below(filled.length);
  return `/${(filled.slice(0, at) + encoded(random, text(random).slice(0, 100)) + filled.slice(at)).replace(/^\/+/, '')}`;
}

function uploadOf(random) {
  const name = random.pick([
    'dot.png',
    'a.txt',
    'x.php',
    '../../x.png',
    'x.svg',
    '\u202egnp.exe',
    '.htaccess',
    'a'.repeat(300),
    '"; x="',
    'con.txt',
    'ж.jpg',
  ]);
  const content = random.pick([
    PNG,
    PNG.subarray(0, 40),
    Buffer.from('text'),
    Buffer.alloc(0),
    Buffer.from('<svg onload="1"/>'),
    Buffer.concat([PNG, Buffer.alloc(5000, 1)]),
  ]);
  if (random.maybe(0.4)) {
    const headers = {
      'Content-Type': random.pick(['image/png', 'text/plain', 'image/jpeg']),
      'Content-Disposition': `attachment; filename="${name.replace(/[^\x20-\x7e]/g, '?')}"`,
    };
    return { headers, body: content };
  }
  const field = random.pick([
    'title',
    'caption',
    'alt_text',
    'post',
    'status',
    'meta[x]',
    '__proto__',
    text(random).slice(0, 50),
  ]);
  const head = (disposition, more = '') => `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`;
  let body = Buffer.concat([
    Buffer.from(
      head(`name="${random.pick(['file', 'file', 'x', ''])}"; filename="${name}"`, 'Content-Type: image/png\r\n'),
    ),
    content,
    Buffer.from(`\r\n${head(`name="${field}"`)}${text(random)}\r\n--b--\r\n`),
  ]);
  if (random.maybe(0.2)) body = body.subarray(0, random.below(body.length));
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, body };
}

/** A known field name, a reserved name, or a random one. */
function nameOf(random, names) {
  if (names.length > 0 && !random.maybe(random.wild / 2)) return random.pick(names);
  return random.maybe(0.6) ? random.pick(PARAMS) : text(random).slice(0, 300);
}

function bodyOf(random, args) {
  const members = {};
  const names = Object.keys(args).filter((name) => args[name].required === true && random.maybe(0.97));
  for (let times = random.pick([0, 1, 1, 2, 2, 3, 6]); times > 0; times -= 1)
    names.push(nameOf(random, Object.keys(args)));
  for (const name of names)
    Object.defineProperty(members, name, { value: fitting(random, args[name]), enumerable: true, configurable: true });
  if (random.maybe(0.12)) {
    const form = [];
    for (const [name, member] of Object.entries(members)) flattened(random, name, member, form);
    return { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: Buffer.from(form.join('&')) };
  }
  let body = Buffer.from(JSON.stringify(members));
  if (random.maybe(random.wild / 10))
    body = Buffer.concat([
      body.subarray(0, random.below(body.length)),
      Buffer.from([random.below(256), random.below(256)]),
    ]);
  if (random.maybe(0.01)) body = Buffer.from('['.repeat(50_000));
  return { headers: { 'Content-Type': random.maybe(0.95) ? 'application/json' : random.pick(TYPES) }, body };
}

function headersOf(random) {
  const some = {
    'If-Match': () => random.pick(['*', '"1"', 'W/"x"', '"', text(random)]),
    'If-None-Match': () => random.pick(['*', '"1"', '"'.repeat(500)]),
    Range: () =>
      random.pick(['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'bytes=0-99999999999999999999', 'bytes=0-1,2-3,4-5', 'x']),
    'Idempotency-Key': () => random.pick(['k', `k${random.below(200)}`, 'x'.repeat(300), '"', text(random)]),
    'X-HTTP-Method-Override': () => random.pick([...METHODS, 'x'.repeat(100)]),
    Accept: () => random.pick(['*/*', 'text/html', 'x', 'application/json;q=NaN']),
    'Accept-Encoding': () => random.pick(['gzip', 'br', 'identity', 'gzip;q=0, *;q=0']),
    'Content-Encoding': () => random.pick(['gzip', 'br', 'x', 'identity']),
    'X-Forwarded-For': () => random.pick(['1.2.3.4', '::1', 'x', '1.2.3.4, '.repeat(100)]),
    Origin: () => random.pick(['http://evil.test', 'null', 'x']),
    Cookie: () => text(random),
    Expect: () => random.pick(['100-continue', 'x']),
    'Content-Type': () => random.pick(TYPES),
  };
  const headers = {};
  for (let times = random.maybe(0.3) ? 1 + random.below(3) : 0; times > 0; times -= 1) {
    const name = random.pick(Object.keys(some));
    headers[name] = some[name]()
      .replace(/[^\x20-\x7e]/g, '')
      .slice(0, 4000);
  }
  return headers;
}

/** Request `n`: `role` is the role of the caller, `routes` are those of the index. */
export function requestOf(seed, n, routes, roles) {
  const random = chance(seed * 1_000_003 + n);
  const { pattern, args: known } = random.pick(routes);
  const taken = Object.keys(known).flatMap((name) =>
    name === 'GET' ? ['GET', 'GET', 'HEAD', 'OPTIONS'] : [name, name],
  );
  const method = taken.length > 0 && random.maybe(0.96) ? random.pick(taken) : random.pick(METHODS);
  const args = known[method === 'PUT' || method === 'PATCH' ? 'POST' : method] ?? {};
  const query = random.maybe(0.6) || method === 'GET' ? queryOf(random, args) : '';
  const path = pathOf(random, pattern) + (query ? `?${query}` : '');
  const writes = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) && random.maybe(0.95);
  const sent = !writes
    ? { headers: {} }
    : /media/.test(pattern) && random.maybe(0.6)
      ? uploadOf(random)
      : bodyOf(random, args);
  const role = random.pick(roles);
  return {
    n,
    method,
    path: path.replace(/[^\x21-\x7e]/g, '%ff'),
    role,
    headers: { ...sent.headers, ...headersOf(random) },
    body: sent.body,
    cut: random.maybe(0.01),
    raw: random.maybe(0.02),
  };
}
