import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '#shared/settings/settings.ts'
import type { RenderableMessage } from './render.ts'
import { createMailRenderer, createMessageHtml, createUnsubscribeTokens, textOf } from './renderer.ts'

const tokens = createUnsubscribeTokens({ unsubscribeLinks: randomBytes(32) })
const png = Buffer.from('a picture')
const contact = {
  office: 'NSTP Office',
  address: 'Room 2',
  email: 'nstp@school.edu.ph',
  phone: '',
  hours: '',
}
const school = { ...defaultSettings, schoolName: 'Colegio de Niño & Sons', contact }

function createRenderer(options: Partial<Parameters<typeof createMailRenderer>[0]> = {}) {
  return createMailRenderer({
    settings: () => school,
    publicAddress: () => 'https://nstp.school.edu.ph',
    digitsOf: () => '012345',
    referencesOf: async () => [{ reference: 'NSTP-7K3D-M9QX', academicYear: '2026-2027' }],
    readLogo: async () => ({ png, width: 120, height: 30 }),
    tokens,
    ...options,
  })
}

const welcome: RenderableMessage = {
  kind: 'welcome',
  recipient: 'ana@example.com',
  subject: 'Welcome',
  content: {
    template: 'welcome',
    values: { firstName: 'Ana', lastName: 'Peña', nstpComponent: 'CWTS', reference: 'NSTP-7K3D-M9QX' },
  },
  batch: null,
}

function bulk(body: string, values: Record<string, string> = {}, template = 'custom'): RenderableMessage {
  return {
    kind: 'bulk',
    recipient: 'Ana@example.com',
    subject: 'Hello',
    content: { template: 'batch', values: { firstName: '', ...values } },
    batch: { template, body, bodyFormat: 'text', announcementId: null },
  }
}

const render = (message: RenderableMessage, renderer = createRenderer()) =>
  renderer.render(message, 'sender@school.edu.ph')

describe('the welcome mail', () => {
  test('has name, component, reference and next steps, in HTML and in text', async () => {
    const { html, text, headers, attachments } = await render(welcome)
    for (const part of [
      'Dear Ana Peña,',
      'CWTS (Civic Welfare Training Service)',
      'NSTP-7K3D-M9QX',
      'Next steps',
    ]) {
      expect(html).toContain(part)
      expect(text).toContain(part)
    }
    expect(html).toContain('Colegio de Niño &amp; Sons')
    expect(text).toContain('\n-- \nColegio de Niño & Sons\nNSTP Office · Room 2\nnstp@school.edu.ph\n')
    expect(headers).toEqual({})
    expect(attachments).toEqual([])
  })

  test('omits missing values', async () => {
    const values = { firstName: 'Ana', lastName: '', nstpComponent: '', reference: '' }
    const { html, text } = await render({ ...welcome, content: { template: 'welcome', values } })
    expect(text).toContain('Dear Ana,')
    expect(text.replace(/\s+/g, ' ')).toContain('Your registration has been received.')
    expect(html).not.toMatch(/reference code|NSTP component/)
  })

  test('escapes names', async () => {
    const values = {
      firstName: '<img src=x onerror=alert(1)>',
      lastName: '"&\'',
      nstpComponent: 'CWTS',
      reference: '',
    }
    const { html, text } = await render({ ...welcome, content: { template: 'welcome', values } })
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;&amp;')
    expect(text).toContain('<img src=x onerror=alert(1)>')
  })
})

test('the logo is attached and referenced by cid; a preview inlines it', async () => {
  const renderer = createRenderer({ settings: () => ({ ...school, logo: { url: '/api/files/a.webp' } }) })
  const { html, attachments } = await render(welcome, renderer)
  expect(html).toContain('src="cid:logo" width="120" height="30"')
  expect(html).toContain('width:120px;height:30px')
  expect(html.match(/cid:logo/g)).toHaveLength(1)
  expect(attachments).toEqual([{ cid: 'logo', filename: 'logo.png', contentType: 'image/png', content: png }])
  const shown = await renderer.preview(welcome)
  expect(shown.html).toContain(`src="data:image/png;base64,${png.toString('base64')}"`)
  expect(shown.html).not.toContain('<style')
})

describe('bulk mail', () => {
  test('has unsubscribe headers for one click and by mail', async () => {
    const { headers, html, text } = await render(bulk('Hello {firstName}'))
    const link =
      /^<(https:\/\/nstp\.school\.edu\.ph\/unsubscribe\?token=([\w-]+))>, <mailto:sender@school\.edu\.ph\?subject=unsubscribe>$/
    const [, page = '', token = ''] = link.exec(headers['List-Unsubscribe'] ?? '') ?? []
    expect(tokens.addressOf(token)).toBe('ana@example.com')
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    expect(html).toContain(page)
    expect(text).toContain(page)
  })

  test('has only the mailto header without a public URL', async () => {
    const { headers, html } = await render(bulk('Hello'), createRenderer({ publicAddress: () => '' }))
    expect(headers).toEqual({ 'List-Unsubscribe': '<mailto:sender@school.edu.ph?subject=unsubscribe>' })
    expect(html).not.toContain('unsubscribe')
  })

  test('is filled with the recipient’s values, escaped', async () => {
    const body =
      'Dear {firstName} {lastName},\n\n**{component}** [form](https://example.com/f?ref={reference})'
    const { html, text } = await render(
      bulk(body, {
        lastName: '<b>"Bobby"</b> {firstName}',
        component: '*x* [a](https://evil.example)',
        reference: 'A&B "c"',
      }),
    )
    expect(html).toContain('Dear Student &lt;b&gt;&quot;Bobby&quot;&lt;/b&gt; {firstName},')
    expect(html).toContain('>*x* [a](https://evil.example)</strong>')
    expect(html).toContain('href="https://example.com/f?ref=A%26B%20%22c%22"')
    expect(html).not.toContain('href="https://evil.example')
    expect(text).toContain('Dear Student <b>"Bobby"</b> {firstName},')
    expect(text).toContain('form <https://example.com/f?ref=A&B "c">')
  })

  test('may use a stored template, with the available values', async () => {
    const { html, text } = await render(
      bulk('', { firstName: 'Ana', reference: 'NSTP-7K3D-M9QX' }, 'requirements'),
    )
    expect(html).toContain('Dear Ana,')
    expect(html).toContain('NSTP-7K3D-M9QX')
    expect(html).not.toContain('Academic year')
    expect(text).toContain('- your signed enlistment form')
    expect(text).toContain('Reference code: NSTP-7K3D-M9QX')
  })

  test('an announcement is not filled, and links to its page', async () => {
    const announcementId = '0190aaaa-0000-7000-8000-000000000000'
    const message = bulk('See {venue} and {firstName}', {}, 'announcement')
    const { html, text } = await render({
      ...message,
      kind: 'announcement',
      subject: 'Parade',
      batch: {
        template: 'announcement',
        body: 'See {venue}, {firstName}',
        bodyFormat: 'text',
        announcementId,
      },
    })
    expect(html).toContain('See {venue}, {firstName}')
    expect(text).toContain(`Read it on the site:\nhttps://nstp.school.edu.ph/announcements/${announcementId}`)
  })
})

test('a subject never contains a line break', async () => {
  const { subject } = await render({ ...welcome, subject: 'Hello\r\nBcc: a@b.example\u2028x\u0000' })
  expect(subject).toBe('Hello Bcc: a@b.example x')
})

test('text is wrapped at 76 characters, and links stay whole', async () => {
  const link = `https://example.com/${'a'.repeat(100)}`
  const { text } = await render(bulk(`${'word '.repeat(60)}\n\n- ${'item '.repeat(40)}\n\n${link}`))
  const long = text.split('\n').filter((line) => line.length > 76 && !line.includes('https://'))
  expect(long).toEqual([])
  expect(text).toContain(`\n${link}\n`)
  expect(text).toMatch(/\n- item .*\n {2}item /)
})

const { htmlOf } = createMessageHtml()
const bare = (html: string) => htmlOf(html, 'html').replace(/ style="[^"]*"/g, '')

describe('HTML of an API client', () => {
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

  test('keeps text elements, with our styles', () => {
    expect(bare('<h2>T</h2><ul><li><b>x</b></li></ul><table><tr><td colspan="2">y</td></tr></table>')).toBe(
      '<h2>T</h2><ul><li><b>x</b></li></ul><table><tr><td colspan="2">y</td></tr></table>',
    )
    expect(htmlOf('<p style="color:red">x</p>', 'html')).toMatch(
      /^<p style="margin:0 0 16px;[^"]*color:#14211b">x<\/p>$/,
    )
  })

  test('is converted to plain text with its links', () => {
    const html = htmlOf(
      '<h1>Title</h1><p>See <a href="https://a.example/x">the form</a>.</p><ul><li>One</li></ul>',
      'html',
    )
    expect(textOf('', 'html', html)).toBe('Title\n\nSee the form <https://a.example/x>.\n\n * One')
  })

  test('can be nested at any depth', () => {
    expect(htmlOf('<div>'.repeat(20_000), 'html').length).toBeLessThan(20_000)
  })
})

test('values in URLs are encoded', () => {
  const html = htmlOf('<a href="https://a.example/{firstName}">x</a>', 'html', { firstName: '"><script>' })
  expect(html).toContain('href="https://a.example/%22%3E%3Cscript%3E"')
})

test('HTML in a text body is escaped', () => {
  expect(htmlOf('<b>x</b>', 'text')).toContain('&lt;b&gt;x&lt;/b&gt;')
})

test('a text body is its own plain text, without the marks of headings and links', () => {
  const text =
    '# Parade\nSee [the form](https://a.example/x), https://b.example and **bring** [a](mailto:b@c.example)'
  expect(textOf(text, 'text', '')).toBe(
    'Parade\nSee the form <https://a.example/x>, https://b.example and **bring** a <b@c.example>',
  )
})
