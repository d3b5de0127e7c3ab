// Texts in expressions that were probably meant to be calculated.
import { OPERATORS } from './expression-operators.js';
import { AGGREGATES } from './expression.js';

const TOKENS = /[A-Za-z_]\w*|\d+(?:\.\d+)?|\s+|[^\s\w]/g;
const OPERATOR = /^[-+*/%]$/;
const PUNCTUATION = /^[\s(),.]+$/;
const PLACEHOLDER = /\{\s*([A-Za-z_]\w*)\s*\}/g;
const WORDS = [...Object.keys(OPERATORS), ...AGGREGATES, 'count'];

/** A text of an expression, and the field that it names. */
export interface FormulaText {
  /** Where the text is, inside the expression. */
  at: (string | number)[];
  text: string;
  field: string;
}

/**
 * Texts that are formulas of fields, such as `price * 2`, or templates with the names of fields in braces. A text alone that is
 * the name of a field is one too; beside other operands it may be a word of its own.
 */
export function formulaTexts(written: unknown, isField: (name: string) => boolean): FormulaText[] {
  return textsIn(written, []).flatMap(({ at, text }) => {
    const field = templateField(text, isField) ?? formulaField(text, isField, at.length === 0);
    return field === undefined ? [] : [{ at, text, field }];
  });
}

function textsIn(written: unknown, at: (string | number)[]): { at: (string | number)[]; text: string }[] {
  if (typeof written === 'string') return [{ at, text: written }];
  if (typeof written !== 'object' || written === null) return [];
  return Object.entries(written).flatMap(([operator, operands]) => {
    // Other members are names.
    if (!Object.hasOwn(OPERATORS, operator)) return [];
    if (!Array.isArray(operands)) return textsIn(operands, [...at, operator]);
    return operands.flatMap((operand, index) => textsIn(operand, [...at, operator, index]));
  });
}

function templateField(text: string, isField: (name: string) => boolean): string | undefined {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!).find((name) => isField(name));
}

/** The first field of a text in which everything belongs to a formula. */
function formulaField(text: string, isField: (name: string) => boolean, isAlone: boolean): string | undefined {
  const tokens = text.match(TOKENS) ?? [];
  const isPart = (token: string) =>
    OPERATOR.test(token) || PUNCTUATION.test(token) || /^\d/.test(token) || isField(token) || WORDS.includes(token);
  if (!tokens.every(isPart)) return undefined;
  if (!isAlone && !tokens.some((token) => OPERATOR.test(token))) return undefined;
  return tokens.find((token) => isField(token));
}
