// The parts of class-validator and class-transformer that bodies are checked with, required by module: class-validator
// as a whole, with its decorators for phone numbers and the like, loads as many modules as half of the server, and
// class-transformer does not export its storage.
import { createRequire } from 'node:module';
import type * as ClassValidator from 'class-validator';

const require = createRequire(import.meta.url);

/** A module of class-validator, as the package exports it. */
const part = (name: string) => require(`class-validator/cjs/${name}.js`) as typeof ClassValidator;

export const { getMetadataStorage } = part('metadata/MetadataStorage');
export const { ValidateBy } = part('decorator/common/ValidateBy');
export const { ValidatorConstraint } = part('decorator/common/Validate');
export const { ValidationTypes } = part('validation/ValidationTypes');
export const { Validator } = part('validation/Validator');

interface Transformations {
  _transformMetadatas: Map<unknown, unknown>;
  _ancestorsMap: Map<unknown, unknown>;
}

/** What class-transformer keeps of classes. */
export const { defaultMetadataStorage: transformations } = require('class-transformer/cjs/storage.js') as {
  defaultMetadataStorage: Transformations;
};
