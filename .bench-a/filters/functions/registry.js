import { queryArguments } from './query-arguments.function.js';
/** Filter functions by name. */
export const filterFunctions = new Map([queryArguments].map((entry) => [entry.name, entry]));
