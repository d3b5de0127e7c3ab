// All items of a list, batch by batch: each is a page by cursor after the one before, with the permissions of that
// moment.
import { ResourceError } from '../../errors/resource-error.js';
import { newOperation } from '../../model/new-operation.js';
import type { Operation, OutputBudget, View } from '../../model/operation.js';
import type { ResourceService } from '../resource.service.js';
import { perform } from './perform.js';
import { WITHOUT_LINKS } from './without-links.js';
import type { FieldSelection } from '../../model/shown.js';

/** Items of a batch; fewer when they are large. */
const BATCH = 200;
const TOO_LARGE = 'rest_response_too_large';

/** Begins the memory budget of a batch; `single`: of one item. It ends that of the batch before. */
export type BeginBatch = (single: boolean) => OutputBudget;

/** The fields of exported items: those requested, or all without links. */
export function exportedFields({ fields }: Operation): FieldSelection {
  return fields ?? WITHOUT_LINKS;
}

/**
 * The items of a list in its order, regardless of page and offset. An item that does not change occurs exactly once.
 * `confirm` is called before each batch but the first: the reader of the first ones decides when that is.
 * @throws ResourceError like the list and like `confirm`, and 413 for an item that is too large by itself
 */
export async function* exportViews(
  service: ResourceService,
  op: Operation,
  begin: BeginBatch,
  confirm: () => Promise<void>,
): AsyncGenerator<readonly View[]> {
  const fields = exportedFields(op);
  let cursor: string | null = '';
  let size = BATCH;
  while (cursor !== null) {
    const own: Operation = newOperation({
      ...op,
      query: { ...op.query, cursor, uncounted: true },
      params: { ...op.params, ...('per_page' in op.params ? { per_page: size } : {}) },
      fields,
      state: {},
      ruleResults: {},
      related: new Map(),
      budget: begin(size === 1),
    });
    try {
      const { body, next = null } = await perform(service, own);
      yield body as View[];
      cursor = next;
      if (cursor !== null) await confirm();
      size = Math.min(BATCH, size * 2);
    } catch (error) {
      if (size === 1 || !(error instanceof ResourceError) || error.code !== TOO_LARGE) throw error;
      size = Math.ceil(size / 8);
    }
  }
}
