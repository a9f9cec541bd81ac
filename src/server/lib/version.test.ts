import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { productVersion } from './version.ts'

test('the version is that of package.json', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(productVersion)
})
