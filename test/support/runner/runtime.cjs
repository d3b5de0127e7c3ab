// The runtime of Jest for this repository: spec files are imported by Node.js itself instead of being linked again in a context of their own.
// Modules of src/ and packages are evaluated once per worker, modules of test/ once per spec file (module-hooks.mjs), which saves seconds of
// processor time for each file. There are no module mocks and no fake timers.
const asyncHooks = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const { createRequire, register } = require('node:module');
const { dirname } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { compileFunction } = require('node:vm');

let compile;
register(pathToFileURL(require.resolve('./module-hooks.mjs')));
let runs = 0;

/** Maps the address of an evaluated module to the path of its source map. */
class SourceMaps extends Map {
  get(address) {
    const file = address.replace(/\?.*/, '');
    return /^file:.*\.ts$/.test(file) ? `${compile(fileURLToPath(file))}.map` : undefined;
  }
}

/** As much of an AsyncLocalStorage as tests need that run one after another. */
class OneAtATime {
  getStore() {
    return this.store;
  }

  async run(store, work) {
    const before = this.store;
    this.store = store;
    try {
      return await work();
    } finally {
      this.store = before;
    }
  }
}

/** What the test framework gets for `node:async_hooks`, whose own members cannot be replaced from Node.js 22 on. */
const HOOKS = { ...asyncHooks, AsyncLocalStorage: OneAtATime };

/** Code of modules that are evaluated for each spec file, by their paths. */
const codes = new Map();

/**
 * Evaluates a CommonJS module of the test framework again without compiling it again. It remembers the running test,
 * and an AsyncLocalStorage that is in use slows down every promise of the process: it gets another one.
 */
function evaluate(path) {
  if (!codes.has(path)) {
    const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
    codes.set(path, compileFunction(readFileSync(path, 'utf8'), parameters, { filename: path }));
  }
  const module = { exports: {} };
  const native = createRequire(path);
  const require = (name) => (name === 'node:async_hooks' ? HOOKS : native(name));
  codes.get(path).call(module.exports, module.exports, Object.assign(require, native), module, path, dirname(path));
  return module.exports;
}

/** What jest-circus and jest-runner ask of a runtime. */
module.exports = class NativeRuntime {
  constructor(config, environment, _resolver, _transformer, _cacheFS, _coverage, testPath) {
    this.environment = environment;
    this.run = `${config.displayName?.name ?? 'tests'}-${(runs += 1)}`;
    this.require = createRequire(testPath);
  }

  /** The test framework keeps its state in its module: each spec file gets a new one. */
  requireInternalModule(path) {
    return evaluate(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    ({ compile } = await import('./compile.mjs'));
    return import(`${pathToFileURL(path).href}?run=${this.run}`);
  }

  requireModule(path) {
    return this.require(path);
  }

  /** Read by the module that stands for `@jest/globals`. */
  setGlobalsForRuntime(globals) {
    this.environment.global.JEST_GLOBALS = { ...globals, jest: this.environment.moduleMocker };
  }

  restoreAllMocks() {
    this.environment.moduleMocker.restoreAllMocks();
  }

  getSourceMaps() {
    return new SourceMaps();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
};
