// The environment of all spec files: the globals of the worker process itself, put back as they were after each file.
const { defaultMetadataStorage: transformations } = require('class-transformer/cjs/storage.js');
const { setFlagsFromString } = require('node:v8');
const { ModuleMocker } = require('jest-mock');

// Most functions run a few times in a test: V8 optimizes them later than by default, which takes a sixth of the processor time off.
// Later versions have no such flag, and print an error for it.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');

const CHANGED = ['console', 'JEST_GLOBALS', 'TEST_ENGINE'];
/** Symbols of jest-circus, new ones for each file: all tests of the file with what they hold, and its event handlers. */
const OF_CIRCUS = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

/** A Jest environment. */
module.exports = class ProcessEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.before = CHANGED.map((name) => [name, globalThis[name]]);
    this.exit = process.exit;
    Object.assign(globalThis, projectConfig.globals);
  }

  async setup() {}

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    process.exit = this.exit;
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (OF_CIRCUS.includes(key.description)) delete globalThis[key];
    // Bodies of the sites that the file has started; every validation would go through all of them.
    globalThis.classValidatorMetadataStorage?.validationMetadatas.clear();
    transformations._transformMetadatas.clear();
    for (const [name, value] of this.before) globalThis[name] = value;
  }

  getVmContext() {
    return null;
  }
};
