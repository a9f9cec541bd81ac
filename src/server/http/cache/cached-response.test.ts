import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { nameByHashes } from './cached-response.ts'

const policy =
  "default-src 'self'; script-src 'nonce-N0nce' 'strict-dynamic' 'self'; style-src 'self' 'nonce-N0nce'"
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('scripts and styles of the page are named by their hash instead of the nonce', () => {
  const html = `<style id="s" nonce="N0nce">a{}</style><script nonce="N0nce">one()</script><script type="text/plain" nonce="N0nce">import 'x'</script>`
  const page = nameByHashes({ html, policy }, 'N0nce')
  expect(page.html).toBe(
    `<style id="s">a{}</style><script>one()</script><script type="text/plain">import 'x'</script>`,
  )
  expect(page.policy).toBe(
    `default-src 'self'; script-src ${hashOf('one()')} ${hashOf("import 'x'")} 'strict-dynamic' 'self'; style-src 'self' ${hashOf('a{}')}`,
  )
})

test('a script that got into the page without the nonce stays refused', () => {
  const html = `<script nonce="N0nce">ours()</script><script>theirs()</script><script nonce="guess">theirs()</script>`
  const { policy: named } = nameByHashes({ html, policy }, 'N0nce')
  expect(named).toContain(hashOf('ours()'))
  expect(named).not.toContain(hashOf('theirs()'))
})
