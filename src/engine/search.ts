// The `search` parameter and the relevance order.
import { searchTermTooLong } from '../errors/resource-error.js';
import type { ListPlan } from '../model/list.js';
import type { Operation } from '../model/operation.js';
import { and, equals, FALSE, not, or, type OrderKey, type Predicate } from '../model/query.js';
import { fold, searchTerms } from '../text/fold.js';
import { foldSearchTerm, MAX_SEARCH_TERM } from '../text/search-term.js';
import { predicateFor } from './rights/predicate-for.js';

const contains = (column: string, value: string): Predicate => ({ op: 'contains', column, value });

/** Narrows a plan to the rows that match a search text. Throws 400 when the text is too long. */
export function applySearch(text: string, plan: ListPlan, op: Operation): void {
  const search = op.model.search;
  if (!search || text.trim() === '') return;
  if (foldSearchTerm(text) === undefined) throw searchTermTooLong('search', MAX_SEARCH_TERM);
  if (search.mode === 'phrase') {
    const extra = search.privileged && search.privileged.needs(op.actor).op === 'true' ? search.privileged.columns : [];
    const found = (column: string) => matches(column, text.trim());
    plan.where.push(or(...[...search.columns, ...extra].map(found), editorsOnly(op, found), ruledOnly(op, found)));
    return;
  }
  const { include, exclude } = searchTerms(text);
  const column = search.columns[0]!;
  const found = (term: string) =>
    or(
      contains(column, term),
      editorsOnly(op, (other) => contains(other, term)),
      ruledOnly(op, (other) => matches(other, term)),
    );
  plan.where.push(...include.map(found), ...exclude.map((term) => not(found(term))));
}

/**
 * Matches in columns that are readable only in the context `edit`, restricted to the rows in which the caller may use
 * it.
 */
function editorsOnly({ model, actor }: Operation, found: (column: string) => Predicate): Predicate {
  const columns = model.search?.editors ?? [];
  return columns.length === 0 ? FALSE : and(predicateFor(model.editors, actor), or(...columns.map(found)));
}

/** Matches in columns with rules of their own, each in the rows in which the caller may read it. */
function ruledOnly({ model, actor }: Operation, found: (column: string) => Predicate): Predicate {
  const ruled = model.search?.ruled ?? [];
  return or(...ruled.map(({ column, guard }) => and(predicateFor(guard, actor), found(column))));
}

/** Substring of a folded text, or equality with an id. */
function matches(column: string, text: string): Predicate {
  if (column !== 'id') return contains(column, fold(text));
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return id > 0 ? equals('id', id) : FALSE;
}

/** Sort keys of `orderby=relevance`: title before excerpt before content, then newest first. */
export function relevanceOrder(text: string, op: Operation): OrderKey[] {
  const [all, title, ...others] = op.model.search?.columns ?? [];
  if (!all || !title) return [];
  const { include, phrase } = searchTerms(text);
  const cases =
    include.length > 1
      ? [
          contains(title, phrase),
          and(...include.map((term) => contains(title, term))),
          or(...include.map((term) => contains(title, term))),
          ...others.map((column) => contains(column, phrase)),
          contains(all, phrase),
        ]
      : [contains(title, include[0] ?? phrase)];
  return [{ cases, direction: 'asc' }];
}
