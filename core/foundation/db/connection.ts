/** How to reach the database: a URL from the configuration, or the socket of the embedded cluster. */
export type DatabaseConnection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string };
