import { describe, expect, test } from 'vitest'
import { createMessageHtml } from './message-html.ts'
import { textOf } from './message-text.ts'

const { htmlOf } = createMessageHtml()
const bare = (html: string) => htmlOf(html, 'html').replace(/ style="[^"]*"/g, '')

describe('HTML of another program', () => {
  test.each([
    ['a script', '<p>a<script>alert(1)</script></p>', '<p>a</p>'],
    ['a remote image', '<p>a<img src="https://tracker.example/a.gif"></p>', '<p>a</p>'],
    ['event attributes', '<p onclick="alert(1)">a</p>', '<p>a</p>'],
    ['a script as address', '<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['a placeholder as address', '<a href="{firstName}">a</a>', '<a>a</a>'],
    [
      'style elements and attributes',
      '<style>p{}</style><p style="background:url(https://t.example)">a</p>',
      '<p>a</p>',
    ],
    ['frames and forms', '<iframe src="https://a.example"></iframe><form><input></form>b', 'b'],
    ['the head of a page', '<html><head><title>T</title></head><body><p>a</p></body></html>', '<p>a</p>'],
    ['a vector picture', '<svg><a href="https://x.example">b</a></svg>c', 'c'],
  ])('loses %s', (_name, html, safe) => {
    expect(bare(html)).toBe(safe)
  })

  test('keeps what texts are made of, in our look', () => {
    expect(bare('<h2>T</h2><ul><li><b>x</b></li></ul><table><tr><td colspan="2">y</td></tr></table>')).toBe(
      '<h2>T</h2><ul><li><b>x</b></li></ul><table><tr><td colspan="2">y</td></tr></table>',
    )
    expect(htmlOf('<p style="color:red">x</p>', 'html')).toMatch(
      /^<p style="margin:0 0 16px;[^"]*color:#14211b">x<\/p>$/,
    )
  })

  test('becomes words for plain-text readers, with the links written out', () => {
    const html = htmlOf(
      '<h1>Title</h1><p>See <a href="https://a.example/x">the form</a>.</p><ul><li>One</li></ul>',
      'html',
    )
    expect(textOf('', 'html', html)).toBe('Title\n\nSee the form <https://a.example/x>.\n\n * One')
  })

  test('can be nested however deep', () => {
    expect(htmlOf('<div>'.repeat(20_000), 'html').length).toBeLessThan(20_000)
  })
})

test('values never get out of an address', () => {
  const html = htmlOf('<a href="https://a.example/{firstName}">x</a>', 'html', { firstName: '"><script>' })
  expect(html).toContain('href="https://a.example/%22%3E%3Cscript%3E"')
})

test('the office’s own text shows HTML as text', () => {
  expect(htmlOf('<b>x</b>', 'text')).toContain('&lt;b&gt;x&lt;/b&gt;')
})

test('the office’s own text is its own plain text, without the marks of headings and links', () => {
  const text =
    '# Parade\nSee [the form](https://a.example/x), https://b.example and **bring** [a](mailto:b@c.example)'
  expect(textOf(text, 'text', '')).toBe(
    'Parade\nSee the form <https://a.example/x>, https://b.example and **bring** a <b@c.example>',
  )
})
