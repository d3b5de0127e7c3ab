// Regular expressions of schemas: compiled at start, matched in linear time.
import { RE2JS } from 're2js';
import { translatePattern, UnsupportedSyntax } from './pattern-syntax.js';

/** Maximum length of a text that is matched, in characters. */
export const LONGEST_MATCHED = 2_000;

/** Why a pattern is rejected. */
export interface PatternProblem {
  reason: string;
  hint?: string;
  /** It is not a valid regular expression. */
  malformed?: boolean;
}

/** Tests whether a text contains a match. */
export interface Matcher {
  test(text: string): boolean;
}

/**
 * Maximum number of steps per text: in the worst case each character takes as many steps as the RE2 program has
 * instructions.
 */
const MAX_STEPS = 200_000;

/** The problem of a pattern for texts of at most `longest` characters, or undefined. */
export function patternProblem(pattern: string, longest = LONGEST_MATCHED): PatternProblem | undefined {
  const result = compile(pattern, longest);
  return 'problem' in result ? result.problem : undefined;
}

/**
 * Compiles a schema's pattern, unanchored and in code points as JSON Schema specifies. Throws at start for a pattern
 * that `patternProblem` reports. Texts of more than `longest` characters must not be passed to it.
 */
export function compilePattern(pattern: string, longest = LONGEST_MATCHED): Matcher {
  const result = compile(pattern, longest);
  if ('problem' in result) throw new Error(`Pattern ${pattern}: ${result.problem.reason}`);
  return result.matcher;
}

type CompileResult = { matcher: Matcher } | { problem: PatternProblem };

function compile(pattern: string, longest: number): CompileResult {
  let own: RegExp;
  try {
    own = new RegExp(pattern, 'u');
  } catch (error) {
    return { problem: { reason: (error as Error).message, malformed: true } };
  }
  try {
    const { re2, plain } = translatePattern(pattern);
    return plain ? { matcher: own } : linear(re2, Math.min(longest, LONGEST_MATCHED));
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return { problem: { reason: error.message, hint: error.hint } };
    return { problem: { reason: reasonOf(error), hint: 'bound lengths by "minLength" and "maxLength" instead' } };
  }
}

function linear(re2: string, longest: number): CompileResult {
  const matcher = RE2JS.compile(re2);
  const most = Math.floor(MAX_STEPS / matcher.programSize());
  if (longest <= most) return { matcher };
  const hint = `set "maxLength" to at most ${most}, or write it with fewer or shorter repetitions`;
  return { problem: { reason: 'it can take too long on texts as long as these may be', hint } };
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /repeat|large|nest/.test(message) ? 'it repeats too much, more than 1000 times in all' : message;
}
