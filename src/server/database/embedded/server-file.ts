import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file in which a running PostgreSQL says who and where it is. */
export function serverFile(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid')
}

/** What the file says, whether or not that server still runs: process, folder, start, port, socket's folder. */
export function readServerFile(clusterDir: string): { pid: number; host: string; port: number } | undefined {
  const file = serverFile(clusterDir)
  if (!existsSync(file)) return undefined
  const [pid, , , port, host = ''] = readFileSync(file, 'utf8').split('\n')
  return { pid: Number(pid), port: Number(port), host }
}

/** How to reach the server that runs on this cluster. */
export function findServer(clusterDir: string): { host: string; port: number } | undefined {
  const server = readServerFile(clusterDir)
  return server && { host: server.host, port: server.port }
}
