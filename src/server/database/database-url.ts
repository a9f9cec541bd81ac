import pg from 'pg'

/** The check is pg's, because an address with a socket's folder is no URL to Node. It opens no connection. */
export function isDatabaseUrl(connectionString: string): boolean {
  try {
    return Boolean(new pg.Client({ connectionString }))
  } catch {
    return false
  }
}
