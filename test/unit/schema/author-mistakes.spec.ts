// Mistakes of authors that the check names with their place: words without an effect, unknown operators.
import { describe, expect, it } from '@jest/globals';
import { problemsOf, thing, warningsOf } from './thing-schema.js';

describe('what is missing or unknown is named', () => {
  it('the operators of an expression', () => {
    const value = '{"modulo": [{"field": "pages"}, 2]}';
    const fields = `"odd": {"function": "expression", "options": {"value": ${value}}}`;
    const [told, ...more] = problemsOf({ 'thing.json': thing({ fields }) }) ?? [];
    expect(told).toMatch(
      /value\.modulo: unknown key "modulo" \(allowed: field, add, .*daysBetween, .*count, sum, .*over\)/,
    );
    expect(more).toEqual([]);
  });

  it('what a guard lacks', () => {
    const fields = '"price": {"type": "integer", "guard": {"needs": true}}';
    expect(problemsOf({ 'thing.json': thing({ fields }) })).toEqual([
      expect.stringMatching(/fields\.price\.guard: "error" or "link" is missing/),
    ]);
  });
});

describe('"required" of what no client can send', () => {
  const told = (field: string) =>
    warningsOf(thing({ fields: `"it": ${field}`, rest: '"permissions": "public-read"' }), ['manage_options']);

  it.each(['readOnly', 'hidden'])('is a warning: %s', (word) => {
    expect(told(`{"type": "integer", "required": true, "${word}": true}`)).toEqual([
      expect.stringMatching(/^thing\.json:2:\d+ fields\.it\.required: has no effect: no client can send a field/),
    ]);
  });

  it.each([
    '{"type": "datetime", "required": true, "readOnly": true, "default": "$now"}',
    '{"type": "integer", "required": true}',
    '{"type": "integer", "readOnly": true}',
  ])('is none: %s', (field) => {
    expect(told(field)).toEqual([]);
  });
});
