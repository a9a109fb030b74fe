import type { FastifyInstance } from 'fastify';

const ANY_ENABLED = Symbol('any enabled module');

declare module 'fastify' {
  interface RouteConstraint {
    /** The module the route belongs to. */
    module?: string;
  }
}

/**
 * The constraint with which modules are mounted in the router: the route of a disabled module matches nothing, so that
 * its path is unknown for every method, header, token and body.
 * https://github.com/delvedor/find-my-way#custom-constraint-strategies
 * @param isOff evaluated at every request
 */
export function addGate(app: FastifyInstance, isOff: (module: string) => boolean): void {
  app.addConstraintStrategy({
    name: 'module',
    deriveConstraint: () => ANY_ENABLED,
    validate: (value: unknown) => {
      if (typeof value !== 'string') throw new Error('a route belongs to one module');
    },
    // Per path: bit masks of handlers by module. The router fills it with `set` and reads the handlers of all enabled
    // modules.
    storage: () => {
      const handlers = new Map<unknown, number>();
      return {
        get: (key: unknown) => {
          if (key !== ANY_ENABLED) return handlers.get(key) ?? null;
          let bits = 0;
          for (const [module, mask] of handlers) if (!isOff(module as string)) bits |= mask;
          return bits;
        },
        set: (key: unknown, mask: unknown) => {
          handlers.set(key, mask as number);
        },
        del: (key: unknown) => {
          handlers.delete(key);
        },
        empty: () => {
          handlers.clear();
        },
      };
    },
  } as unknown as Parameters<typeof app.addConstraintStrategy>[0]);
}
