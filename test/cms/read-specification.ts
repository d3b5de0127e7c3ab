// Reads the facts out of the tables and lists of the owner's specification. Called by specification.spec.ts when the document is at hand.

/** What the specification states. `undefined` and `null`: it does not say. */
export interface Facts {
  resources: { name: string; path: string; operations: string[] }[];
  fields: FieldFact[];
  routes: { section: string; method: string; path: string }[];
  listParams: ParamFact[];
  itemParams: { section: string; name: string; default?: string; enum?: string[] }[];
  deleteParams: { section: string; names: string[] }[];
  bodies: { section: string; kind: 'create' | 'update'; fields: BodyFact[] }[];
}

export interface FieldFact {
  resource: string;
  name: string;
  type: string;
  format?: string;
  /** null: not stated. */
  readOnly: boolean | null;
  /** null: a dash. */
  contexts: string[] | null;
  enum?: string[];
}

export interface ParamFact {
  section: string;
  name: string;
  default?: string;
  enum?: string[];
}

export interface BodyFact {
  name: string;
  required: boolean;
  enum?: string[];
}

interface Section {
  title: string;
  lines: string[];
}

const FORMATS: Record<string, string> = { 'datetime (ISO8601)': 'date-time', uri: 'uri', email: 'email', ip: 'ip' };

/** The facts of the document. */
export function readSpecification(text: string): Facts {
  const resourceSections = sections(text, 'Resources and their fields').filter(({ title }) => title !== 'Conventions');
  const endpointSections = sections(text, 'Endpoints').filter(({ title }) => title !== 'Conventions');
  return {
    resources: readResources(text),
    fields: resourceSections.flatMap(readFields),
    routes: endpointSections.flatMap(({ title, lines }) =>
      routeRows(lines).map(([method = '', path = '']) => ({
        section: title,
        method,
        path: path.replace('/cms/v2', ''),
      })),
    ),
    listParams: endpointSections.flatMap((section) => readListParams(section, endpointSections[0]!)),
    itemParams: endpointSections.flatMap(readItemParams),
    deleteParams: endpointSections.flatMap(readDeleteParams),
    bodies: endpointSections.flatMap(readBodies),
  };
}

function readResources(text: string): Facts['resources'] {
  const [{ lines = [] } = {}] = [{ lines: chapter(text, 'What the service does') }];
  return tables(lines)[0]!.rows.map(([name = '', path = '', operations = '']) => ({
    name,
    path,
    operations: operations.split(', '),
  }));
}

function readFields({ title, lines }: Section): FieldFact[] {
  const resource = title.replace(/ \(.*/, '');
  const { header, rows } = tables(lines)[0]!;
  const cell = (row: string[], name: string) => row[header.indexOf(name)];
  return rows.map((row) => {
    const [type = '', note] = (cell(row, 'Type') ?? '').split(/, (.*)/);
    const readOnly = cell(row, 'Read only');
    const contexts = cell(row, 'Contexts');
    const choices = oneOf(cell(row, 'Meaning') ?? '');
    return {
      resource,
      name: cell(row, 'Field')!,
      type,
      ...(note ? { format: FORMATS[note]! } : {}),
      readOnly: readOnly === undefined ? (/all fields read only/.test(title) ? true : null) : readOnly === 'yes',
      contexts: contexts === undefined || contexts === '-' ? null : contexts.split(', '),
      ...(choices ? { enum: choices } : {}),
    };
  });
}

/** `one of a, b, c` and `asc or desc`. */
function oneOf(meaning: string): string[] | undefined {
  const [, list] = /^one of (.*)$/.exec(meaning) ?? [];
  if (list) return list.split(', ');
  return meaning === 'asc or desc' ? ['asc', 'desc'] : undefined;
}

function readListParams({ title, lines }: Section, posts: Section): ParamFact[] {
  const params = new Map<string, ParamFact>();
  const add = (param: Omit<ParamFact, 'section'>) => params.set(param.name, { section: title, ...param });
  const inline = sentence(lines, /^List parameters: /);
  if (inline) {
    const like = /each with the meaning given for posts/.test(inline);
    for (const { name, note } of listed(inline)) add({ name, ...noted(note), ...(like ? {} : {}) });
  }
  for (const { header, rows } of tables(lines)) {
    if (header[0] !== 'Parameter') continue;
    for (const row of rows) {
      const fallback = row[header.indexOf('Default')];
      const choices = oneOf(row[header.indexOf('Meaning')] ?? '');
      for (const name of row[0]!.split(', ')) {
        add({
          name,
          ...(fallback && fallback !== '-' ? { default: fallback } : {}),
          ...(choices ? { enum: choices } : {}),
        });
      }
    }
  }
  // Resources with nothing but a line in the table of routes.
  if (params.size === 0 && title !== posts.title) {
    const purpose =
      routeRows(lines).find(([method, , text]) => method === 'GET' && text!.startsWith('list'))?.[2] ?? '';
    for (const name of ticked(purpose)) add({ name });
  }
  return [...params.values()];
}

function readItemParams({ title, lines }: Section): Facts['itemParams'] {
  const purpose =
    routeRows(lines).find(([method, , text]) => method === 'GET' && text!.startsWith('retrieve'))?.[2] ?? '';
  return [...purpose.matchAll(/`(\w+)`(?: \(([^)]*)\))?/g)].map(([, name, note = '']) => ({
    section: title,
    name: name!,
    ...noted(note),
  }));
}

function readDeleteParams({ title, lines }: Section): Facts['deleteParams'] {
  const purpose = routeRows(lines).find(([method]) => method === 'DELETE')?.[2];
  if (purpose === undefined) return [];
  const more = sentence(lines, /^Delete parameters: /) ?? '';
  return [{ section: title, names: [...new Set([...ticked(purpose), ...ticked(more)])] }];
}

function readBodies({ title, lines }: Section): Facts['bodies'] {
  const both = lines.find((line) => line.startsWith('Create and update body fields'));
  const create = lines.find((line) => line.startsWith('Create body fields')) ?? both;
  if (!create) return [];
  const fields = bodyFields(create);
  const [, update = ''] = /Update body fields(.*)/.exec(create) ?? [];
  const own = /^: (?!the same)/.test(update) ? bodyFields(update) : fields;
  return [
    { section: title, kind: 'create', fields },
    { section: title, kind: 'update', fields: own.map((field) => ({ ...field, required: false })) },
  ];
}

function bodyFields(line: string): BodyFact[] {
  return listed(line).map(({ name, note }) => {
    const choices = note && !/required/.test(note) ? note.split(', ') : undefined;
    return { name, required: note === 'required', ...(choices ? { enum: choices } : {}) };
  });
}

/** Names of a list behind a colon up to the end of the sentence, each with what stands in brackets behind it. */
function listed(line: string): { name: string; note: string }[] {
  const [, list = ''] = /: (.*?)(?:\.(?: |$)|, plus:|$)/.exec(line) ?? [];
  return list
    .split(/, (?![^(]*\))/)
    .map((part) => /^(\w+)(?: \((.*)\))?/.exec(part))
    .filter((found) => found !== null)
    .map(([, name = '', note = '']) => ({ name, note }));
}

/** `default name; id, include` and `default view`. */
function noted(note: string): { default?: string; enum?: string[] } {
  const [first = '', rest] = note.split('; ');
  const [, fallback] = /^default (\S+)$/.exec(first) ?? [];
  if (fallback === undefined) return {};
  return { default: fallback, ...(rest ? { enum: rest.split(', ') } : {}) };
}

const ticked = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
const sentence = (lines: string[], pattern: RegExp) => lines.find((line) => pattern.test(line));
const routeRows = (lines: string[]) => tables(lines).find(({ header }) => header[0] === 'Method')?.rows ?? [];

function tables(lines: string[]): { header: string[]; rows: string[][] }[] {
  const found: { header: string[]; rows: string[][] }[] = [];
  let open: { header: string[]; rows: string[][] } | undefined;
  for (const line of lines) {
    const cells = line.startsWith('|')
      ? line
          .slice(1, line.lastIndexOf('|'))
          .split('|')
          .map((cell) => cell.trim())
      : undefined;
    if (!cells) open = undefined;
    else if (!open) found.push((open = { header: cells, rows: [] }));
    else if (!/^-+$/.test(cells[0]!)) open.rows.push(cells);
  }
  return found;
}

function chapter(text: string, title: string): string[] {
  const lines = text.split('\n');
  const start = lines.indexOf(`## ${title}`);
  if (start < 0) throw new Error(`The specification has no chapter "${title}"`);
  const end = lines.findIndex((line, at) => at > start && line.startsWith('## '));
  return lines.slice(start + 1, end < 0 ? undefined : end);
}

function sections(text: string, title: string): Section[] {
  const found: Section[] = [];
  for (const line of chapter(text, title)) {
    if (line.startsWith('### ')) found.push({ title: line.slice(4), lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found;
}
