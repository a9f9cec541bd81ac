// @module-tag rest
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { checkSync } from 'recheck'
import ts from 'typescript'
import { expect, test } from 'vitest'

// Slow for long texts, but what they read is ours or short. None may be exponential.
const bounded: Record<string, string> = {
  '/[\\s,;:.–—-]+$/u': 'an excerpt of a few hundred characters',
  '/=+$/': 'base64 of a few random bytes',
  '/( - not imported)+$/': 'a file name, cut before',
  '/ (?:Province|\\(.*\\))$/': 'the list of postal codes',
  '/^(.*?) ?\\((formerly )?(.*)\\)$/': 'the list of postal codes',
  '/<(script|style)\\b([^>]*)>([\\s\\S]*?)<\\/\\1>/g': 'a page of ours, whose elements end',
  '/\\S*@\\S*/g': 'an address, at most 254 characters',
  '/\\s*\\n\\s*/g': 'what is typed into a field of the settings, in the own browser',
  '/(?:^|[\\s,]+)(jr|sr|ii|iii|iv|v)\\.?(?=[\\s,]|$)/i': 'a name of a record, at most 100 characters',
  '/^[\\s,]+|[\\s,]+$/g': 'a name of a record, at most 100 characters',
  '/\\.?0+$/': 'a number of twenty decimals',
  '/([a-z-]+:\\/\\/[^\\s()]+?):(\\d+):(\\d+)\\)?$/m': 'the stack of an error, in the own browser',
  '/name="idempotencyKey"[^>]*value="([^"]+)"/': 'the form of ours',
}

function patternsOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function complexityOf(pattern: string): string {
  const end = pattern.lastIndexOf('/')
  // The search is random: the same at each run.
  const found = checkSync(pattern.slice(1, end), pattern.slice(end + 1), {
    randomSeed: 15,
    timeout: 100_000,
  })
  return found.status === 'vulnerable' ? found.complexity.type : found.status
}

test('no regular expression takes long, whatever it is given', { timeout: 300_000 }, () => {
  const listed = execFileSync('git', ['ls-files', 'src'], { encoding: 'utf8' }).split('\n')
  const files = listed.filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  const patterns = [...new Set(files.flatMap(patternsOf))]
  expect(patterns.length).toBeGreaterThan(200)
  const slow = patterns.filter((pattern) => {
    const complexity = complexityOf(pattern)
    return complexity !== 'safe' && !(complexity === 'polynomial' && pattern in bounded)
  })
  expect(slow).toEqual([])
  expect(patterns).toEqual(expect.arrayContaining(Object.keys(bounded)))
})
