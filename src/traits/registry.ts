// Every behaviour a schema may name. A new one is one file here and one line below.
import { Registered } from '../model/registered.js';
import { accountTrait } from './account/account.trait.js';
import { auditedTrait } from './audited.trait.js';
import { auditLogTrait } from './audit-log.trait.js';
import { authoredTrait } from './authored.trait.js';
import { classifiedTrait } from './classified/classified.trait.js';
import { datedTrait } from './dated.trait.js';
import { entryTrait } from './entry.trait.js';
import { filledTrait } from './filled.trait.js';
import { forceDeleteTrait } from './force-delete.trait.js';
import { guardedTrait } from './guarded/guarded.trait.js';
import { moderatedTrait } from './moderated/moderated.trait.js';
import { nestedTrait } from './nested/nested.trait.js';
import { protectedTrait } from './protected.trait.js';
import { publishedTrait } from './published/published.trait.js';
import { reassignableTrait } from './reassignable.trait.js';
import { revisionTrait } from './revision.trait.js';
import { revisionedTrait } from './revisioned/revisioned.trait.js';
import { sluggableTrait } from './sluggable/sluggable.trait.js';
import { termTrait } from './term/term.trait.js';
import { trashableTrait } from './trashable/trashable.trait.js';
import { uploadedTrait } from './uploaded/uploaded.trait.js';
import { webhookTrait } from './webhook/webhook.trait.js';
import { webhookDeliveryTrait } from './webhook/webhook-delivery.trait.js';
import type { Trait } from '../model/trait.js';

const all: Trait[] = [
  accountTrait,
  auditedTrait,
  auditLogTrait,
  authoredTrait,
  classifiedTrait,
  datedTrait,
  entryTrait,
  filledTrait,
  forceDeleteTrait,
  guardedTrait,
  moderatedTrait,
  nestedTrait,
  protectedTrait,
  publishedTrait,
  reassignableTrait,
  revisionTrait,
  revisionedTrait,
  sluggableTrait,
  termTrait,
  trashableTrait,
  uploadedTrait,
  webhookTrait,
  webhookDeliveryTrait,
];

/** Traits by name. */
export const traits = new Registered<Trait>('traits', new Map(all.map((trait) => [trait.name, trait])));
