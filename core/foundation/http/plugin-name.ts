import type { FastifyInstance } from 'fastify';

const DISPLAY_NAME = Symbol.for('fastify.display-name');

/** Names a plugin: to find a name for an unnamed one, Fastify would search all files that were loaded. */
export function named<T extends object>(plugin: T, name: string): T {
  if (!(DISPLAY_NAME in plugin) && Object.isExtensible(plugin)) Object.assign(plugin, { [DISPLAY_NAME]: name });
  return plugin;
}

/** Names every function that is registered on the app, or on a scope of it, and has no name of a plugin. */
export function nameAll(app: FastifyInstance): void {
  const { register } = app;
  const naming = function (this: FastifyInstance, plugin: unknown, ...rest: unknown[]): unknown {
    if (typeof plugin === 'function') named(plugin, plugin.name || 'unnamed plugin');
    return Reflect.apply(register, this, [plugin, ...rest]);
  };
  Object.assign(app, { register: naming });
}
