// The API namespace, from which editor clients build URLs.
import type { ComputedFunction } from '../../model/registry.js';

export const namespace: ComputedFunction = {
  name: 'namespace',
  description: 'Namespace of the API, such as cms/v2.',
  options: {},
  returns: { type: 'string' },
  reads: () => [],
  compile:
    () =>
    (_row, { site }) =>
      site.namespace,
};
