declare module 'pgpass' {
  /** Calls back with the password that the user's password file has for a connection, if any. */
  function passwordFor(
    connection: { host: string; port: number; database: string; user: string },
    found: (password: string | undefined) => void,
  ): void;
  export = passwordFor;
}
