import type { InjectionToken } from 'tsyringe';

/**
 * Registers a factory of which there is one instance an app.
 * @param make is given what resolves other services; it runs when the service is first asked for
 */
export type Once = <T>(type: InjectionToken<T>, make: (get: <V>(token: InjectionToken<V>) => V) => T) => void;
