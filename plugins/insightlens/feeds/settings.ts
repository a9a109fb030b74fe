import { Secret, Type } from '@lintel/sdk';

const Url = (description: string) =>
  Type.String({ default: '', maxLength: 2_000, pattern: '^(?:https?://\\S+)?$', description });
const Authorization = (boundTo: string) =>
  Secret({ boundTo, description: `The header Authorization of requests to \`${boundTo}\`, such as \`Bearer …\`.` });

/** Settings of the feeds. */
export const FeedSettings = {
  kev_url: Url(
    'Where known exploited vulnerabilities are fetched every day, in the form of CISA; empty: they are uploaded.',
  ),
  kev_authorization: Authorization('kev_url'),
  endoflife_url: Url(
    'Where end-of-life dates are fetched every day, such as https://endoflife.date/api/v1/products/full; empty: they are uploaded.',
  ),
  endoflife_authorization: Authorization('endoflife_url'),
  feed_stale_days: Type.Integer({
    default: 14,
    minimum: 1,
    maximum: 365,
    description: 'Days after which the content of a feed is shown as out of date.',
  }),
};
