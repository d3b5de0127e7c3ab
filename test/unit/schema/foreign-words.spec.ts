// Keywords of other schema languages: the error message names those of this one.
import { expect, it } from '@jest/globals';
import { formatProblem, StartupError } from '../../../src/errors/problem.js';
import { compileFiles } from '../../../src/schema/compile-site.js';
import { parseSchema } from '../../../src/schema/load/load.js';

function hintsFor(field: object): string[] {
  const schema = { name: 'thing', path: 'things', fields: { it: field } };
  const { file, problems } = parseSchema('thing.json', JSON.stringify(schema));
  try {
    compileFiles({ files: [file], problems });
    return [];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return error.problems.map(formatProblem);
  }
}

it.each<[object, string]>([
  [{ type: 'money' }, '(did you mean "decimal"?)'],
  [{ type: 'float' }, '(did you mean "number"?)'],
  [{ type: 'relation', to: 'thing' }, '(did you mean "reference"?)'],
  [{ type: 'enum', enum: ['a'] }, '(write "type": "string" and "enum": […])'],
  [{ type: 'file' }, '(files come with the trait "uploaded"'],
  [{ type: 'expression' }, '(calculate it with "function": "expression")'],
  [{ function: 'sum' }, '(calculate it with "function": "expression")'],
  [{ function: 'expression', options: { value: { '+': [1, 2] } } }, 'unknown key "+" (did you mean "add"?)'],
  [{ function: 'expression', options: { value: { add: [1, 'it'] } } }, '(the value of a field is {"field": "it"})'],
  [{ type: 'decimal', default: 0 }, 'expected a string, found a number (write it as text: "0")'],
])('%j: %s', (field, hint) => {
  expect(hintsFor(field)).toEqual([expect.stringContaining(hint)]);
});
