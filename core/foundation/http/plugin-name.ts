const DISPLAY_NAME = Symbol.for('fastify.display-name');

/** Names a plugin: to find a name for an unnamed one, Fastify would search all files that were loaded. */
export function named<T extends object>(plugin: T, name: string): T {
  if (!(DISPLAY_NAME in plugin) && Object.isExtensible(plugin)) Object.assign(plugin, { [DISPLAY_NAME]: name });
  return plugin;
}
