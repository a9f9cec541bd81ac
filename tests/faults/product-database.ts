import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { managingRole, serverRole } from '#server/database/embedded/cluster.ts'
import { findServer, readServerFile } from '#server/database/embedded/stale-server.ts'

/** The process of the database that a product runs on this data folder. */
export function databasePid(dataDir: string): number {
  const pid = readServerFile(join(dataDir, 'postgres'))?.pid
  if (pid === undefined) throw new Error(`no database runs in ${dataDir}`)
  return pid
}

/** The database and all of its own processes. */
export function serverProcesses(dataDir: string): number[] {
  const server = databasePid(dataDir)
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const children = lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, parent]) => (pid !== undefined && parent === server ? [pid] : []))
  return [server, ...children]
}

/** To all of its processes: suspended, they are like those of a machine that runs out of memory or disk. */
export function signalDatabase(dataDir: string, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of serverProcesses(dataDir)) process.kill(pid, signal)
}

/** To be ended by the caller. */
export async function connectDatabase(dataDir: string, user = serverRole): Promise<pg.Client> {
  const client = new pg.Client({
    ...findServer(join(dataDir, 'postgres')),
    user,
    database: 'nstp_portal',
  })
  await client.connect()
  return client
}

/** Asks the product's database directly. */
export async function queryDatabase<Row extends pg.QueryResultRow>(
  dataDir: string,
  text: string,
  user = serverRole,
): Promise<Row[]> {
  const client = await connectDatabase(dataDir, user)
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Stores records with so much random text each. */
export async function storeManyStudents(dataDir: string, records: number, textLength: number): Promise<void> {
  await queryDatabase(
    dataDir,
    `insert into students (id, reference, consent_version, consented_at, last_name, first_name, address, date_of_birth,
      place_of_birth, sex, civil_status, contact_number, email, citizenship, course, year_level, academic_year,
      emergency_contact_name, emergency_contact_number, nstp_component, work_experience)
    select gen_random_uuid(), 'R' || i, '1', now(), 'Name ' || i, 'Ana', '-', '2006-01-01',
      '-', 'Male', 'Single', '1', 'a@b.example', 'Filipino', 'SOICT', 1, '2025-2026', '-', '1', 'ROTC',
      (select string_agg(md5(random()::text || i || part), '') from generate_series(1, ${textLength / 32}) part)
    from generate_series(1, ${records}) i`,
    managingRole,
  )
}
