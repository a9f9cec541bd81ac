/**
 * What every process sees that runs as the database's user: no variable of ours, since some are secrets and
 * that user may read them in /proc, and nothing of the machine's language or zone, which would become the
 * cluster's.
 */
export const serverEnvironment = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
