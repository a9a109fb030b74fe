import type { FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
import type { MediaType, PathsWithMethod, RequestBodyJSON } from 'openapi-typescript-helpers';
import type { Card, paths } from './schema.js';

/** A method of the API. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** A path with this method, below `/api/v1`. */
export type PathOf<M extends Method> = PathsWithMethod<paths, M>;
/** The options of a request: `params` of its path, query and headers, `body`, and options of `fetch`, such as `signal`. */
export type Init<P extends PathOf<M>, M extends Method> = MaybeOptionalInit<paths[P], M & keyof paths[P]>;
/** The options as an argument, which is optional if no member is required. */
export type Arguments<I> = undefined extends I ? [init?: I] : [init: I];

type Data<P extends PathOf<M>, M extends Method, I> =
  paths[P] extends Record<M, infer Operation extends object>
    ? NonNullable<FetchResponse<Operation, I, MediaType>['data']>
    : never;
/** The body of a response; undefined if it has none. */
export type Answer<P extends PathOf<M>, M extends Method, I = object> = [Data<P, M, I>] extends [never]
  ? undefined
  : Data<P, M, I>;

/** The path of a list. */
export type ListPath = {
  [P in PathOf<'get'>]: Answer<P, 'get'> extends { items: unknown[]; next_cursor: string | null } ? P : never;
}[PathOf<'get'>];
/** An item of a list: for cards a complete one, unless `fields` selects members. */
export type ItemOf<P extends ListPath, I> = P extends '/cards'
  ? I extends { params: { query: { fields: string } } }
    ? ItemsOf<P>
    : Card
  : ItemsOf<P>;
type ItemsOf<P extends ListPath> = Answer<P, 'get'> extends { items: (infer Item)[] } ? Item : never;

/** The path of a resource with versions that can be read and changed. */
export type ChangeablePath = {
  [P in PathOf<'get'> & PathOf<'patch'>]: Answer<P, 'get'> extends { version: number } ? P : never;
}[PathOf<'get'> & PathOf<'patch'>];
/** Parameters within a path. */
export type PathParams<P extends ChangeablePath> = paths[P] extends { get: { parameters: { path: infer Params } } }
  ? Params
  : undefined;
/** A merge patch of a resource. */
export type PatchOf<P extends ChangeablePath> = paths[P] extends { patch: infer Operation }
  ? RequestBodyJSON<Operation>
  : never;
