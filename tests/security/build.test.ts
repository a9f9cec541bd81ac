import { readdirSync, readFileSync } from 'node:fs'
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
