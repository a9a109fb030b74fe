import type { FastifyInstance } from 'fastify';

const ASKED = Symbol('any module that is on');

declare module 'fastify' {
  interface RouteConstraint {
    /** The module the route belongs to. */
    module?: string;
  }
}

/**
 * The gate modules are mounted behind, in the router itself: the route of a module that is off matches nothing, so
 * that its path is unknown in every respect, whatever the method, the headers, the token or the body.
 * https://github.com/delvedor/find-my-way#custom-constraint-strategies
 * @param isOff asked at every request
 */
export function addGate(app: FastifyInstance, isOff: (module: string) => boolean): void {
  app.addConstraintStrategy({
    name: 'module',
    deriveConstraint: () => ASKED,
    validate: (value: unknown) => {
      if (typeof value !== 'string') throw new Error('a route belongs to one module');
    },
    // Per path: bits of handlers by module. The router fills it with `set` and asks for the handlers of all that are on.
    storage: () => {
      const handlers = new Map<unknown, number>();
      return {
        get: (key: unknown) => {
          if (key !== ASKED) return handlers.get(key) ?? null;
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
