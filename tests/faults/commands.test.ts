// @module-tag rest
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test.each(['admin', 'backup', 'restore'])(
  'the build has the command %s, which says how it is used',
  (name) => {
    const output = execFileSync(process.execPath, [`build/server/${name}.js`, '--help'], { encoding: 'utf8' })
    expect(output).toContain(`Usage: npm run ${name} -- `)
  },
)
