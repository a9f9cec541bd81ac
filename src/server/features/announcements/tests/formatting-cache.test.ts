import { expect, test } from 'vitest'
import { cacheFormatted } from '../service.ts'

function setUp() {
  const formatted: string[] = []
  const format = cacheFormatted((content) => {
    formatted.push(content.slice(0, 1))
    return { html: `<p>${content}</p>`, text: content }
  })
  return { formatted, format }
}

test('a content is formatted once while it is cached', () => {
  const { formatted, format } = setUp()
  expect(format('a')).toEqual({ html: '<p>a</p>', text: 'a' })
  expect(format('a')).toEqual({ html: '<p>a</p>', text: 'a' })
  expect(formatted).toEqual(['a'])
})

test('the least recently used content is evicted', () => {
  const { formatted, format } = setUp()
  // Two of them fit, because each is cached three times: the content, its HTML and its text.
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(300_000))
  for (const content of [a, b, a, c, a, b]) format(content ?? '')
  expect(formatted).toEqual(['a', 'b', 'c', 'b'])
})
