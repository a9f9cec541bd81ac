import { describe, expect, test } from 'vitest'
import { announcementLimits } from '#shared/announcements/announcements.ts'
import { processorMs } from '#tests/setup/processor-time.ts'
import { createFormatting } from '../lib/formatting.ts'

const format = createFormatting({ ownOrigin: undefined })

const tag =
  /<(?:\/?(?:p|ul|ol|li|a|strong|em)|ol start="\d+"|br \/|a href="(?:https?:\/\/|mailto:)[^"<>]*"(?: target="_blank" rel="noopener nofollow")?)>/gi

function strayTags(html: string): string[] {
  return html.replace(tag, '').match(/[<>].*/g) ?? []
}

describe('nothing but the subset comes out of', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<p style="position:fixed">x</p>',
    '<!-- --><![CDATA[x]]><?php x ?>',
    '</p></div><iframe srcdoc="<script>alert(1)</script>">',
    '<<script>script>alert(1)<</script>/script>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x]( javascript:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](java\nscript:alert(1))',
    '[x](\u0001javascript:alert(1))',
    '[x](javascript&colon;alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](&#x6A;&#x61;vascript:alert(1))',
    '[x](javascript%3Aalert(1))',
    '[x](<javascript:alert(1)>)',
    '[x](vbscript:msgbox(1))',
    '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
    '[x](data:image/png;base64,AAAA)',
    '[x](file:///etc/passwd)',
    '[x](//evil.example)',
    '[x](/api/session)',
    '[x](\\\\evil.example)',
    '[x](http:javascript:alert(1))',
    '[x](https://a.example/"onmouseover="alert(1))',
    '[x](https://a.example "title\\" onmouseover=\\"alert(1)")',
    '[x](https://a.example/<script>alert(1)</script>)',
    '[x](mailto:a@b.example"onclick=alert(1))',
    '[[x](https://a.example)](javascript:alert(1))',
    '[x](https://a.example)](javascript:alert(1))',
    '[![x](javascript:alert(1))](javascript:alert(1))',
    '![x](https://a.example/x.png)',
    '![x" onerror="alert(1)](https://a.example/x.png)',
    '<javascript:alert(1)>',
    '<https://a.example/"onclick="alert(1)>',
    '<https://a.example/><script>alert(1)</script>',
    'https://a.example/"onmouseover="alert(1)',
    "https://a.example/'onmouseover='alert(1)",
    'www.a.example/"onmouseover="alert(1)',
    'javascript:alert(1)//https://a.example',
    '[x]: javascript:alert(1)\n\n[x]',
    '`<script>alert(1)</script>`',
    '```\n<script>alert(1)</script>\n```',
    '    <script>alert(1)</script>',
    '# <script>alert(1)</script>',
    '- <script>alert(1)</script>',
    '1. [x](javascript:alert(1))',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&#60;script&#62;alert(1)&#60;/script&#62;',
    '\\<script>alert(1)\\</script>',
    '**<b onclick=alert(1)>**',
    '[x](https://a.example\u2028onclick=alert(1))',
    '\u003cscript\u003ealert(1)\u003c/script\u003e',
    '+ADw-script+AD4-alert(1)',
    '<scr\u0000ipt>alert(1)</scr\u0000ipt>',
  ])('%j', (content) => {
    const { html } = format(content)
    expect(strayTags(html)).toEqual([])
  })

  test('any mixture of what means something', () => {
    const parts = [
      '*',
      '**',
      '_',
      '[',
      '](',
      ')',
      '<',
      '>',
      '"',
      "'",
      '&',
      '&#106;',
      'javascript:',
      'https://a.b',
    ]
    parts.push(
      '<script>',
      '- ',
      '1. ',
      '# ',
      '\n',
      '\n\n',
      '    ',
      '`',
      '!',
      '\\',
      'mailto:a@b.c',
      'www.a.b/',
      'x',
    )
    // Always the same numbers, so that what fails once fails again.
    let seed = 1
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 3_000; round++) {
      const content = Array.from({ length: 1 + next(25) }, () => parts[next(parts.length)]).join('')
      const { html } = format(content)
      expect(strayTags(html), content).toEqual([])
    }
  })
})

test('what was typed stays readable, also where it means nothing here', () => {
  const content = '<script>alert(1)</script> [x](javascript:alert(1)) &amp; `code`\n\n> quoted'
  expect(format(content)).toEqual({
    html: '<p>&lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1)) &amp;amp; `code`</p>\n<p>&gt; quoted</p>',
    text: '<script>alert(1)</script> [x](javascript:alert(1)) &amp; `code` · > quoted',
  })
})

describe('the longest content is formatted soon, and does not grow without end: many times', () => {
  const deepList = Array.from({ length: 190 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')
  const patterns = [
    '*',
    '_',
    '**a ',
    '*a_',
    'a**b_c*',
    '*a **b *c ',
    '[',
    '](',
    '[a](',
    '[a](<',
    '![[',
    '[[](',
  ]
  patterns.push(
    '<',
    '<a@',
    'http://',
    'http://a.',
    'http://((',
    'www.',
    'www.a.b/',
    'www.a.b/..',
    'a@',
    'a@b.',
  )
  patterns.push(
    '\\',
    '\\*',
    '- ',
    '-\n',
    '1. ',
    '  - a\n    - b\n',
    '# a\n',
    '\n',
    'a\n',
    ' ',
    '\t- a\n',
    '😀',
  )
  patterns.push('[a](http://b.c) ', '[a](http://b "c" ', '<b>', '&amp;', 'mailto:', `${deepList}\n`)

  test.each(patterns)('%j', async (pattern) => {
    const content = pattern.repeat(announcementLimits.content / pattern.length + 1)
    const whole = content.slice(0, announcementLimits.content)
    let formatted = { html: '', text: '' }
    const taken = await processorMs(() => {
      formatted = format(whole)
    })
    // Each takes some tens of milliseconds; work that grows with the square would take minutes.
    expect(taken).toBeLessThan(2_000)
    const { html, text } = formatted
    expect(html.length).toBeLessThan(whole.length * 8)
    // A dot between lines is longer than their break.
    expect(text.length).toBeLessThan(whole.length * 2)
  })
})
