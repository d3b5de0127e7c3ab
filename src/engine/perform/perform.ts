// Runs an operation as a request asks for it: with references expanded, or aggregated.
import { listFound } from '../found/list-found.js';
import type { Operation, Result } from '../../model/operation.js';
import type { ResourceService } from '../resource.service.js';
import { aggregateList } from './aggregate.js';
import { Expansion } from './expand.js';

/**
 * The result of an operation; a resource of search results has its list only.
 * @throws ResourceError like the operation; 400 for what the query language does not allow
 */
export async function perform(service: ResourceService, op: Operation): Promise<Result> {
  const { query } = op;
  if (op.model.found) return listFound(op);
  if (!query) return service[op.kind](op);
  if (query.aggregate && op.kind === 'list') return aggregateList(service, op, query.aggregate);
  if (!query.expand) return service[op.kind](op);
  const expansion = new Expansion(op, query.expand);
  const result = await expansion.withIds(() => service[op.kind](op));
  return { ...result, body: await expansion.expandBody(result.body) };
}
