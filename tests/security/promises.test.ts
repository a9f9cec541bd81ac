import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, requirement, file, title] = /^\| ([\d.]+) .*\| `([^`]+)`: "(.+)" *\|$/.exec(line) ?? []
    return requirement && file && title ? [{ requirement, file, title }] : []
  })

test('each row of docs/security.md names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(100)
  const missing = rows.filter(({ file, title }) => {
    const path = existsSync(file) ? file : `src/server/${file}`
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(title)
  })
  expect(missing).toEqual([])
})
