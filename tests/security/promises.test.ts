import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { comparePromises, readPromises } from '../../scripts/check-promises.mjs'

const document = readFileSync('docs/security.md', 'utf8')

test('each row of docs/security.md names a test that stands in its file, or says why it is not met', () => {
  const promises = readPromises(document)
  expect(promises.length).toBeGreaterThan(100)
  expect(promises.filter(({ file, title }) => !readFileSync(file, 'utf8').includes(title))).toEqual([])
  const rows = document.split('\n').filter((line) => /^\| \d/.test(line))
  const unmet = rows.filter((line) => /\| Not met, because [^|]+ \| – +\|$/.test(line))
  expect(promises.length + unmet.length).toBe(rows.length)
})

test('a promise is kept by a test that ran and passed, and by no other', () => {
  const file = 'tests/a.test.ts'
  const promises = [
    { requirement: '1.1', file, title: 'holds %s (always)', maySkip: false },
    { requirement: '1.2', file, title: 'fails', maySkip: false },
    { requirement: '1.3', file, title: 'is skipped', maySkip: false },
    { requirement: '1.4', file, title: 'needs a program', maySkip: true },
    { requirement: '1.5', file: 'tests/b.test.ts', title: 'fails', maySkip: true },
    { requirement: '1.6', file, title: 'now and then', maySkip: true },
  ]
  const results = [
    { file, title: 'the product holds water (always)', status: 'passed' },
    { file, title: 'fails', status: 'failed' },
    { file, title: 'is skipped: one', status: 'passed' },
    { file, title: 'is skipped: two', status: 'skipped' },
    { file, title: 'needs a program', status: 'pending' },
    { file, title: 'now and then', status: 'flaky' },
  ]
  expect(comparePromises(promises, results)).toEqual({
    broken: [
      '1.2: tests/a.test.ts: "fails" didn\'t pass',
      '1.3: tests/a.test.ts: "is skipped" was skipped',
      '1.5: tests/b.test.ts: "fails" didn\'t run',
      '1.6: tests/a.test.ts: "now and then" didn\'t pass',
    ],
    skipped: ['1.4: tests/a.test.ts: "needs a program" was skipped'],
  })
})
