import type { InjectionToken } from 'tsyringe';

/**
 * Registers a factory of which there is one instance an app.
 * @param make receives a function that resolves other services; it runs at the first request for the service
 */
export type Once = <T>(type: InjectionToken<T>, make: (get: <V>(token: InjectionToken<V>) => V) => T) => void;
