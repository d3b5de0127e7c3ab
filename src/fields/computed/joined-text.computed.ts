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
  reads: ({ template }, model) => namesIn(template).flatMap((name) => model.fields.get(name)?.reads ?? [name]),
  shows: ({ template }) => namesIn(template),
  compile({ template }, model) {
    const text = String(template);
    return (row, scope) =>
      text.replace(PLACEHOLDER, (_, name: string) => textOf(model.fields.get(name)?.toView?.(row, scope)));
  },
};

/** A value as responses show it; of a text that is rendered what everyone may read, its rendered form. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return 'rendered' in value ? String(value.rendered) : JSON.stringify(value);
}
