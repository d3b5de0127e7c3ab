// Text with a raw and a rendered form; it is rendered once, when it is written.
import type { FieldType } from '../model/registry.js';
import { type Row, valueAfter } from '../model/query.js';
import { CONTEXTS } from '../model/schema/schema.js';
import { withDifference } from '../text/difference.js';
import { clean, pipelines, render as renderedText, storedRendering } from '../values/pipelines.js';
import { renderedRule } from '../values/rendered-rule.js';
import type { MemberSchema } from '../model/schema/value-schema.js';
import type { ColumnModel } from '../model/table.js';

export const renderedField: FieldType = {
  name: 'rendered',
  description:
    'Text shown as {raw, rendered}. `pipeline` names how it is rendered; `from` the field whose text stands in when it is empty.',
  // Extensions add pipelines.
  get keys() {
    return {
      pipeline: { type: 'string', enum: [...pipelines.keys()] },
      from: { type: 'string' },
      options: {
        type: 'object',
        properties: { protected: { type: 'boolean' } },
        additionalProperties: false,
      },
    } satisfies FieldType['keys'];
  },
  ownKeywords: true,
  neverNull: true,
  value(field) {
    const contexts = field.contexts ?? CONTEXTS;
    const pipeline = pipelines.get(field.pipeline ?? 'content')!;
    const properties: Record<string, MemberSchema> = {
      raw: { type: 'string', description: 'The text as it is stored.', contexts: ['edit'] },
      rendered: { type: 'string', description: 'The text as HTML, ready to show.', contexts, readOnly: true },
    };
    if (field.options?.['protected']) {
      properties['protected'] = {
        type: 'boolean',
        description: 'Whether a password guards the text.',
        contexts: CONTEXTS,
        readOnly: true,
      };
    }
    if (pipeline.blocks) {
      properties['block_version'] = {
        type: 'integer',
        description: 'Version of the block format in the text; 0 when it has no blocks.',
        contexts: ['edit'],
        readOnly: true,
      };
    }
    return { type: 'object', description: field.description, properties };
  },
  compile(field) {
    const pipeline = pipelines.get(field.schema.pipeline ?? 'content')!;
    const raw = (field.column = field.schema.column ?? field.name);
    const rendered = `${raw}_rendered`;
    const guarded = Boolean(field.schema.options?.['protected']);
    const from = field.schema.from;
    field.columns = columnsOf(raw, rendered, field.schema.renamedFrom);
    field.reads = [raw, rendered, ...(from ? [from] : [])];
    field.defaultValue = field.schema.default ?? '';
    field.rule = renderedRule;
    field.toStore = (value, draft, op) => {
      draft.row[raw] = clean(pipeline, value as string, op);
    };
    field.derive = (draft, op, current) => {
      const source = ((from && valueAfter(draft.row, current, from)) || '') as string;
      if (draft.row[raw] === undefined && !(from && draft.row[from] !== undefined)) return;
      const text = (valueAfter(draft.row, current, raw) ?? '') as string;
      draft.row[rendered] = storedRendering(pipeline, text, source, op);
    };
    const shown = (row: Row): string => {
      const text = row[raw] as string;
      const source = ((from && row[from]) || '') as string;
      // A text that was changed without the engine is rendered as it is now.
      return withDifference(text || source, row[rendered] as string) ?? renderedText(pipeline, text, source, {});
    };
    field.toView = (row, { context }) => {
      const view: Record<string, unknown> = {};
      if (context === 'edit') view['raw'] = row[raw];
      view['rendered'] = shown(row);
      if (guarded) view['protected'] = false;
      if (pipeline.blocks && context === 'edit') view['block_version'] = pipeline.blocks(row[raw] as string) ? 1 : 0;
      return view;
    };
  },
};

/** The column of the text as sent, and that of its rendered form. */
function columnsOf(raw: string, rendered: string, renamedFrom: string | null | undefined): ColumnModel[] {
  const renamed = (name: string) => (renamedFrom ? { renamedFrom: name } : {});
  return [
    { name: raw, kind: 'text', default: '', nullable: false, implied: true, ...renamed(`${renamedFrom}`) },
    {
      name: rendered,
      kind: 'text',
      default: '',
      nullable: false,
      implied: true,
      derived: true,
      ...renamed(`${renamedFrom}_rendered`),
    },
  ];
}
