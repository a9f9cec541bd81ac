import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from './bench.ts'
import { atMost, type Figure, format } from './report.ts'

const execute = promisify(execFile)

/** What production installs, read from the working folder. */
export async function measureInstall({ folder }: Bench): Promise<Figure[]> {
  const target = join(folder, 'installed')
  mkdirSync(target)
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(name, join(target, name))
  await execute('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: target })
  const megabytes = sizeOf(join(target, 'node_modules')) / 1e6
  return [
    {
      what: 'installed for production (`npm ci --omit=dev`), with PostgreSQL',
      product: `${format(megabytes)} MB`,
      reference: '',
      aim: atMost(megabytes, 140, ' MB'),
    },
  ]
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
