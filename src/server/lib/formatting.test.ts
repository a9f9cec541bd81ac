import { describe, expect, test } from 'vitest'
import { createFormatting } from './formatting.ts'

const format = createFormatting({ ownOrigin: 'https://nstp.school.edu.ph' })
const htmlOf = (content: string) => format(content).html.replaceAll('\n', '')
const elsewhere = 'target="_blank" rel="noopener nofollow"'

describe('content becomes', () => {
  test.each([
    ['paragraphs', 'One\n\nTwo', '<p>One</p><p>Two</p>'],
    ['line breaks', 'One\nTwo', '<p>One<br />Two</p>'],
    ['a bulleted list', '- One\n- Two', '<ul><li>One</li><li>Two</li></ul>'],
    ['a numbered list', '3. One\n4. Two', '<ol start="3"><li>One</li><li>Two</li></ol>'],
    ['emphasis', '**bold** and *leaning*', '<p><strong>bold</strong> and <em>leaning</em></p>'],
    ['a bold line from a heading', '# Venue\nGym', '<p><strong>Venue</strong></p><p>Gym</p>'],
    [
      'a link',
      '[Form](https://forms.example/a?b=1&c=2)',
      `<p><a href="https://forms.example/a?b=1&amp;c=2" ${elsewhere}>Form</a></p>`,
    ],
    [
      'a link from a bare address',
      'See https://nstp.school.edu.ph/faq.',
      '<p>See <a href="https://nstp.school.edu.ph/faq">https://nstp.school.edu.ph/faq</a>.</p>',
    ],
    [
      'a link from an address that begins with www.',
      '(www.school.edu.ph/a?b).',
      `<p>(<a href="https://www.school.edu.ph/a?b" ${elsewhere}>www.school.edu.ph/a?b</a>).</p>`,
    ],
    [
      'a link to write to',
      'office@school.edu.ph',
      '<p><a href="mailto:office@school.edu.ph">office@school.edu.ph</a></p>',
    ],
    ['text where a space is missing', 'In class.It is late', '<p>In class.It is late</p>'],
  ])('%s', (_name, content, html) => {
    expect(htmlOf(content)).toBe(html)
  })
})

describe('the text on one line', () => {
  test.each([
    ['items of a list are kept apart', '- ROTC, CWTS\n- hats', 'ROTC, CWTS · hats'],
    ['paragraphs as well', '# Venue\nGym (old)\n\nBring water', 'Venue · Gym (old) · Bring water'],
    ['and lines', 'Where: gym\nWhen: **8:00**', 'Where: gym · When: 8:00'],
    ['but a line that goes on in lower case', 'We meet\nat the gym', 'We meet at the gym'],
    ['and not what ends with a mark', 'Bring:\n\n- water.\n- “Hats!”\n- ID', 'Bring: water. “Hats!” ID'],
    ['of a link its words', 'See [the form](https://forms.example) <b>', 'See the form <b>'],
  ])('%s', (_name, content, text) => {
    expect(format(content).text).toBe(text)
  })
})
