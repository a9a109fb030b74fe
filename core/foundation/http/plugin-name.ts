const DISPLAY_NAME = Symbol.for('fastify.display-name');

/** Names a plugin: for one without a name Fastify looks through all files that were loaded, to call it by its file. */
export function named<T extends object>(plugin: T, name: string): T {
  if (!(DISPLAY_NAME in plugin) && Object.isExtensible(plugin)) Object.assign(plugin, { [DISPLAY_NAME]: name });
  return plugin;
}
