/** How to reach the database: a URL from the configuration, or the socket of the embedded cluster, and the identity of its folder. */
export type DatabaseConnection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string; folder?: string };
