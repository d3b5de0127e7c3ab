// The modules of extensions, and the providers that they may inject.
import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { Extension } from './define.js';

/** Gives its exports to every module of the application; Nest requires a class for it. */
@Global()
@Module({})
class OfferedModule {}

/** The imports of the application's module; empty without modules of extensions. */
export function extensionImports(
  modules: readonly NonNullable<Extension['module']>[],
  offered: Provider[],
): DynamicModule['imports'] {
  if (modules.length === 0) return [];
  const tokens = offered.map((provider) => ('provide' in provider ? provider.provide : provider));
  return [{ module: OfferedModule, providers: offered, exports: tokens }, ...(modules.flat() as DynamicModule[])];
}
