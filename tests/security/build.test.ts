// @module-tag rest
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adminPassword } from '#tests/setup/administrator.ts'

test('the build has no test code and no source maps', () => {
  const files = readdirSync('build', { recursive: true, encoding: 'utf8' })
  expect(files.filter((file) => /\.(map|tsx?)$|\.(test|spec)\./.test(file))).toEqual([])
  const scripts = files.filter((file) => file.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(20)
  const ofTests = scripts.filter((file) => {
    const text = readFileSync(join('build', file), 'utf8')
    return /["'](vitest|@playwright\/test)["']/.test(text) || text.includes(adminPassword)
  })
  expect(ofTests).toEqual([])
})

test('the list of parts has every package of the build and its tools, with version and license', () => {
  const list: { components: { name: string; group?: string; version: string; licenses?: object[] }[] } =
    JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 2 ** 26 }))
  const listed = new Map(list.components.map((part) => [`${part.name} ${part.version}`, part]))
  const { packages }: { packages: Record<string, { version: string; license?: string }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  )
  // Those of other systems aren't installed.
  const missing = Object.entries(packages).filter(([path, { version, license }]) => {
    const part = listed.get(`${path.split('node_modules/').at(-1)} ${version}`)
    return path !== '' && existsSync(path) && (!part || (license && !part.licenses))
  })
  expect(missing).toEqual([])

  // And no package's own script is run: not by the product's scripts, nor by what the documents say.
  expect(readFileSync('scripts/set-up.mjs', 'utf8')).toContain("const options = ['--ignore-scripts',")
  const installing = ['Dockerfile', 'README.md', 'docs/operations.md'].flatMap(
    (file) => readFileSync(file, 'utf8').match(/\bnpm (ci|install)\b.*/g) ?? [],
  )
  expect(installing.length).toBeGreaterThan(1)
  expect(installing.filter((line) => !line.includes('--ignore-scripts'))).toEqual([])
})
