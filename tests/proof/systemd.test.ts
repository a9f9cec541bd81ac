import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'

const analyze = '/usr/bin/systemd-analyze'
// In tenths, of 100: 'OK' in systemd's words ends at 49, and a service without such lines has 96.
const mostExposed = '25'
// Most of them alone move the whole by less than a tenth.
const closing = [
  ...['NoNewPrivileges=true', 'ProtectSystem=strict', 'ProtectHome=true', 'PrivateTmp=true'],
  ...[
    'PrivateDevices=true',
    'ProtectKernelTunables=true',
    'ProtectKernelModules=true',
    'ProtectKernelLogs=true',
  ],
  ...['ProtectControlGroups=true', 'ProtectClock=true', 'ProtectHostname=true', 'RestrictNamespaces=true'],
  ...['RestrictRealtime=true', 'RestrictSUIDSGID=true', 'LockPersonality=true', 'CapabilityBoundingSet='],
  ...['RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX', 'SystemCallArchitectures=native'],
  ...['SystemCallFilter=@system-service', 'UMask=0077', 'StateDirectoryMode=0700'],
]

test.runIf(existsSync(analyze))(
  'systemd knows every line of the document’s unit, and finds it closed',
  () => {
    const folder = makeTemporaryFolder()
    onTestFinished(folder.remove)
    const [, unit = ''] = /```ini\n(\[Unit\].+?)```/s.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
    const file = join(folder.path, 'nstp-portal.service')
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath))
    const verified = spawnSync(analyze, ['verify', '--man=no', file], { encoding: 'utf8' })
    expect([verified.status, verified.stderr]).toEqual([0, ''])
    expect(closing.filter((line) => !unit.split('\n').includes(line))).toEqual([])
    const options = ['security', '--offline=true', `--threshold=${mostExposed}`, '--no-pager', file]
    const rated = spawnSync(analyze, options, { encoding: 'utf8' })
    expect(rated.status, rated.stdout).toBe(0)
  },
)
