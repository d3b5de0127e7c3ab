// The validator of the grammar of schema files. A build leaves its code beside this module (scripts/compile-grammar.mjs):
// compiling the grammar takes a tenth of the time of a start.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { grammarSchema, type Registries } from './grammar.js';
import { record } from '../load/as-json.js';

/** File with the code of a build, beside this module. */
export const COMPILED_GRAMMAR = './compiled-grammar.cjs';

/** What the file of a build exports. */
interface CompiledGrammar {
  validate: ValidateFunction;
  /** Of the grammar that it validates: extensions add to that of the engine. */
  hash: string;
}

const validators = new WeakMap<Registries, ValidateFunction>();
/** The last one that was compiled: a site that is loaded again has new registries, and most often the same grammar. */
let compiled: CompiledGrammar | undefined;

/** Validates schema files against the grammar with these registries. Compiled once. */
export function grammarValidator(registries: Registries): ValidateFunction {
  let validate = validators.get(registries);
  if (validate) return validate;
  const grammar = requiringTypes(grammarSchema(registries));
  const hash = hashOf(grammar);
  if (compiled?.hash !== hash) {
    const built = builtGrammar();
    compiled = built?.hash === hash ? built : { hash, validate: compiler().compile(grammar) };
  }
  ({ validate } = compiled);
  validators.set(registries, validate);
  return validate;
}

/** The code of a CommonJS module that exports a `CompiledGrammar`. */
export async function grammarValidatorCode(registries: Registries): Promise<string> {
  // Only builds need it.
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  const grammar = requiringTypes(grammarSchema(registries));
  const ajv = compiler(true);
  const code = standalone.default(ajv, ajv.compile(grammar));
  return `${code}\nmodule.exports = { validate: module.exports, hash: ${JSON.stringify(hashOf(grammar))} };\n`;
}

function compiler(source = false): Ajv2020 {
  return new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    // A test compares the grammar with the meta-schema; at each start it would take as long as all files.
    meta: false,
    validateSchema: false,
    validateFormats: false,
    // Optimizing the generated code takes longer than it saves for a few dozen files.
    code: { optimize: source, source },
  });
}

function builtGrammar(): CompiledGrammar | undefined {
  try {
    return createRequire(import.meta.url)(COMPILED_GRAMMAR) as CompiledGrammar;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function hashOf(grammar: object): string {
  return createHash('sha256').update(JSON.stringify(grammar)).digest('hex');
}

// An editor cannot know which fields a trait adds; here they have their type.
function requiringTypes(grammar: Record<string, unknown>): Record<string, unknown> {
  const definitions = record(grammar['$defs']);
  return { ...grammar, $defs: { ...definitions, field: { ...record(definitions['field']), required: ['type'] } } };
}
