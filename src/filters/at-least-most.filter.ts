// Items whose number or date is at least or at most the value.
import type { Filter } from '../model/registry.js';
import { fieldOf } from './field-of.js';

const TYPES = ['integer', 'number', 'date', 'datetime', 'id'];

function bound(name: string, op: 'ge' | 'le', words: string): Filter {
  return {
    name,
    description: `Items whose \`field\` is ${words} the value.`,
    value: { type: 'number' },
    compile(param, model, report) {
      const field = fieldOf(param, model, report, 'column', TYPES);
      if (!field) return undefined;
      return (value, plan) => void plan.where.push({ op, column: field.column!, value });
    },
  };
}

export const atLeastFilter = bound('at-least', 'ge', 'at least');
export const atMostFilter = bound('at-most', 'le', 'at most');
