import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { findFreePort } from '#tests/setup/free-port.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const composeSchema = z.object({
  services: z.object({
    portal: z.object({ build: z.literal('.'), environment: z.record(z.string(), z.string()) }),
  }),
})

const commandSchema = z.tuple([z.string()], z.string())

/** What follows a keyword for the first time. */
function argumentOf(keyword: string): string {
  const [, argument = ''] = new RegExp(`^${keyword} (.+)$`, 'm').exec(dockerfile) ?? []
  return argument
}

function readCommand(keyword: string): [string, ...string[]] {
  return commandSchema.parse(JSON.parse(argumentOf(keyword)))
}

test('the Dockerfile and the compose file start the product, whose check finds it ready', async () => {
  expect(validate(dockerfile)).toEqual([])
  const { services } = composeSchema.parse(parse(readFileSync('compose.yaml', 'utf8')))

  const folder = makeTemporaryFolder()
  onTestFinished(folder.remove)
  const product = join(folder.path, 'nstp-portal')
  execFileSync('git', ['clone', '--quiet', '.', product])
  execFileSync('sh', ['-c', argumentOf('RUN')], { cwd: product, stdio: 'pipe' })

  // The image has the port 3000 and the folder /data to itself.
  const port = String(await findFreePort())
  const env = {
    ...process.env,
    ...Object.fromEntries(
      argumentOf('ENV')
        .split(' ')
        .map((one) => one.split('=')),
    ),
    ...services.portal.environment,
    ...{ PORT: port, DATA_DIR: join(folder.path, 'data') },
  }
  const [program, ...options] = readCommand('CMD')
  const running = spawn(program, options, { cwd: product, env, stdio: 'ignore' })
  onTestFinished(() => void running.kill('SIGKILL'))
  const [check, ...checkOptions] = readCommand('HEALTHCHECK CMD')
  const ofPort = checkOptions.map((option) => option.replace(':3000', `:${port}`))
  await expect
    .poll(() => once(spawn(check, ofPort, { stdio: 'ignore' }), 'exit'), { timeout: 60_000 })
    .toEqual([0, null])
  running.kill('SIGTERM')
  expect(await once(running, 'exit')).toEqual([0, null])
})
