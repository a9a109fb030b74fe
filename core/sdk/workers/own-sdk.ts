import type { InitializeHook, ResolveHook } from 'node:module';

/** Runs in the thread of Node's module hooks. */

let entries: Readonly<Record<string, string>> = {};

export const initialize: InitializeHook<Readonly<Record<string, string>>> = (data) => {
  entries = data;
};

/** The SDK is that of the service, wherever the importing module lies. */
export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const url = entries[specifier];
  return url === undefined ? nextResolve(specifier, context) : { url, format: 'module', shortCircuit: true };
};
