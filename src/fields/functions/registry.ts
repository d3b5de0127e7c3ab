// Every function a `computed` field may name. A new one is one file here and one line below.
import type { ComputedFunction } from '../../model/registry.js';
import { anchorLink } from './anchor-link.function.js';
import { avatarUrls } from './avatar-urls.function.js';
import { constant } from './constant.function.js';
import { fileUrl } from './file-url.function.js';
import { flags } from './flags.function.js';
import { labels } from './labels.function.js';
import { namespace } from './namespace.function.js';
import { typeCapabilities } from './type-capabilities.function.js';
import { generatedSlug } from './generated-slug.function.js';
import { grantedCapabilities } from './granted-capabilities.function.js';
import { guid } from './guid.function.js';
import { mediaKind } from './media-kind.function.js';
import { pathLink } from './path-link.function.js';
import { permalink } from './permalink.function.js';
import { permalinkTemplate } from './permalink-template.function.js';

const all = [
  constant,
  pathLink,
  permalink,
  permalinkTemplate,
  anchorLink,
  guid,
  generatedSlug,
  avatarUrls,
  grantedCapabilities,
  fileUrl,
  flags,
  labels,
  mediaKind,
  namespace,
  typeCapabilities,
];

/** Computed functions by name. */
export const computedFunctions: ReadonlyMap<string, ComputedFunction> = new Map(
  all.map((entry) => [entry.name, entry]),
);
