// Registry of the functions of `computed` fields. A new one is one file here and one line below.
import { Registered } from '../../model/registered.js';
import type { ComputedFunction } from '../../model/registry.js';
import { anchorLink } from './anchor-link.computed.js';
import { avatarUrls } from './avatar-urls.computed.js';
import { constant } from './constant.computed.js';
import { expression } from './expression.computed.js';
import { fileUrl } from './file-url.computed.js';
import { flags } from './flags.computed.js';
import { joinedText } from './joined-text.computed.js';
import { labels } from './labels.computed.js';
import { namespace } from './namespace.computed.js';
import { typeCapabilities } from './type-capabilities.computed.js';
import { generatedSlug } from './generated-slug.computed.js';
import { grantedCapabilities } from './granted-capabilities.computed.js';
import { guid } from './guid.computed.js';
import { mediaKind } from './media-kind.computed.js';
import { pathLink } from './path-link.computed.js';
import { permalink } from './permalink.computed.js';
import { permalinkTemplate } from './permalink-template.computed.js';

const all: ComputedFunction[] = [
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
  joinedText,
  expression,
];

/** Computed functions by name. */
export const computedFunctions = new Registered<ComputedFunction>(
  'functions',
  new Map(all.map((entry) => [entry.name, entry])),
);
