import type { FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
import type { MediaType, PathsWithMethod, RequestBodyJSON } from 'openapi-typescript-helpers';
import type { Card, paths } from './schema.js';

/** A method the API has. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** A path of the API that has a method, below `/api/v1`. */
export type PathOf<M extends Method> = PathsWithMethod<paths, M>;
/** What a request takes: `params` of its path, query and headers, `body`, and what `fetch` takes, such as `signal`. */
export type Init<P extends PathOf<M>, M extends Method> = MaybeOptionalInit<paths[P], M & keyof paths[P]>;
/** The argument for it, which may be absent where nothing in it must be there. */
export type Arguments<I> = undefined extends I ? [init?: I] : [init: I];

type Data<P extends PathOf<M>, M extends Method, I> =
  paths[P] extends Record<M, infer Operation extends object>
    ? NonNullable<FetchResponse<Operation, I, MediaType>['data']>
    : never;
/** The body of an answer; nothing where it has none. */
export type Answer<P extends PathOf<M>, M extends Method, I = object> = [Data<P, M, I>] extends [never]
  ? undefined
  : Data<P, M, I>;

/** A path that is a list. */
export type ListPath = {
  [P in PathOf<'get'>]: Answer<P, 'get'> extends { items: unknown[]; next_cursor: string | null } ? P : never;
}[PathOf<'get'>];
/** An item of a list: of cards a whole one, unless `fields` says which members are wanted. */
export type ItemOf<P extends ListPath, I> = P extends '/cards'
  ? I extends { params: { query: { fields: string } } }
    ? ItemsOf<P>
    : Card
  : ItemsOf<P>;
type ItemsOf<P extends ListPath> = Answer<P, 'get'> extends { items: (infer Item)[] } ? Item : never;

/** A path of a resource that can be read and changed, and has versions. */
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
