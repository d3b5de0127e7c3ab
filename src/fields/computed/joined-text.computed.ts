// Texts with values of other fields in them.
import type { ComputedFunction } from '../../model/registry.js';

const PLACEHOLDER = /\{([a-z_][a-z0-9_]*)\}/g;

const namesIn = (template: unknown): string[] => [...String(template).matchAll(PLACEHOLDER)].map(([, name]) => name!);

export const joinedText: ComputedFunction = {
  name: 'joined-text',
  description: 'The text `template`, each {field} in it replaced by its value.',
  returns: { type: 'string' },
  options: { template: { type: 'string', minLength: 1, required: true, description: 'Text with {field} in it.' } },
  check(check, { template }) {
    for (const name of namesIn(template)) check.field(['template'], name);
  },
  reads: ({ template }, model) => namesIn(template).map((name) => model.fields.get(name)?.column ?? name),
  shows: ({ template }) => namesIn(template),
  compile({ template }, model) {
    const text = String(template);
    const columns = new Map(namesIn(text).map((name) => [name, model.fields.get(name)?.column ?? name]));
    return (row) => text.replace(PLACEHOLDER, (_, name: string) => String(row[columns.get(name)!] ?? ''));
  },
};
