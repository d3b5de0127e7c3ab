// Text with a raw and a rendered form; rendering happens once, when it is written (decisions 0.11, 10.2-10.6, 25).
import type { FieldType } from '../model/registry.js';
import type { MemberSchema } from '../model/schema.js';
import { pipelines } from './pipelines.js';
import { renderedRule } from './rendered-rule.js';

export const renderedField: FieldType = {
  name: 'rendered',
  description:
    'Text shown as {raw, rendered}. `pipeline` names how it is rendered; `from` the field whose text stands in when it is empty.',
  keys: {
    pipeline: { type: 'string', enum: [...pipelines.keys()] },
    from: { type: 'string' },
    options: { type: 'object', properties: { protected: { type: 'boolean' } }, additionalProperties: false },
  },
  value(field) {
    const contexts = field.contexts ?? ['view', 'embed', 'edit'];
    const pipeline = pipelines.get(field.pipeline ?? 'content')!;
    const properties: Record<string, MemberSchema> = {
      raw: { type: 'string', description: 'The text as it is stored.', contexts: ['edit'] },
      rendered: { type: 'string', description: 'The text as HTML, ready to show.', contexts, readOnly: true },
    };
    if (field.options?.['protected']) {
      properties['protected'] = {
        type: 'boolean',
        description: 'Whether a password guards the text.',
        contexts: ['view', 'embed', 'edit'],
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
    const { renamedFrom } = field.schema;
    const was = (name: string) => (renamedFrom ? { renamedFrom: name } : {});
    field.columns = [
      { name: raw, kind: 'text', default: '', nullable: false, implied: true, ...was(`${renamedFrom}`) },
      {
        name: rendered,
        kind: 'text',
        default: '',
        nullable: false,
        implied: true,
        derived: true,
        ...was(`${renamedFrom}_rendered`),
      },
    ];
    field.reads = [raw, rendered];
    field.readsIn = { view: [rendered], embed: [rendered] };
    field.defaultValue = field.schema.default ?? '';
    field.rule = renderedRule;
    field.toStore = (value, draft, op) => {
      draft.row[raw] = pipeline.clean(value as string, op.actor.capabilities.has('unfiltered_html'));
    };
    field.derive = (draft, _op, current) => {
      const source = from && (draft.row[from] ?? current?.[from] ?? '');
      if (draft.row[raw] === undefined && !(from && draft.row[from] !== undefined)) return;
      draft.row[rendered] = pipeline.render(
        (draft.row[raw] ?? current?.[raw] ?? '') as string,
        (source || '') as string,
      );
    };
    field.toView = (row, { context }) => {
      const view: Record<string, unknown> = {};
      if (context === 'edit') view['raw'] = row[raw];
      view['rendered'] = row[rendered];
      if (guarded) view['protected'] = false;
      if (pipeline.blocks && context === 'edit') view['block_version'] = pipeline.blocks(row[raw] as string) ? 1 : 0;
      return view;
    };
  },
};
