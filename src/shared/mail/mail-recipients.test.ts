import { describe, expect, test } from 'vitest'
import { mailLimits } from './mail.ts'
import { readRecipients, recipientMessages } from './mail-recipients.ts'

const emailsOf = (input: unknown) => readRecipients(input).recipients.map(({ email }) => email)

describe('readRecipients', () => {
  test('reads a JSON array, as a text and as a value', () => {
    const list = [{ email: 'juan@school.example', firstName: 'Juan' }, { email: 'ana@school.example' }]
    const expected = [
      { email: 'juan@school.example', firstName: 'Juan' },
      { email: 'ana@school.example', firstName: 'Student' },
    ]
    expect(readRecipients(JSON.stringify(list)).recipients).toEqual(expected)
    expect(readRecipients(list).recipients).toEqual(expected)
    expect(readRecipients(list).positions).toBe('entry')
  })

  test('reads addresses of a JSON array, blank and missing first names', () => {
    const list = [
      'a@x.example',
      { email: 'b@x.example', firstName: ' ' },
      { email: 'c@x.example', firstName: null },
    ]
    expect(readRecipients(list).recipients.map(({ firstName }) => firstName)).toEqual([
      'Student',
      'Student',
      'Student',
    ])
  })

  test.each([
    ['lines', 'a@x.example\nb@x.example\r\nc@x.example\n'],
    ['commas', 'a@x.example, b@x.example,c@x.example,'],
    ['semicolons', 'a@x.example; b@x.example;c@x.example'],
    ['all of them', ' a@x.example,\n\n b@x.example;; c@x.example '],
  ])('reads a text with %s', (_, text) => {
    expect(emailsOf(text)).toEqual(['a@x.example', 'b@x.example', 'c@x.example'])
    expect(readRecipients(text).recipients[0]?.firstName).toBe('Student')
  })

  test('reads names in front of addresses', () => {
    const text = [
      'Juan <juan@x.example>, <ana@x.example>',
      '"Reyes, Maria Clara" <maria@x.example>',
      'Dela Cruz, José <jose@x.example>; Santos Jr., Peter <peter@x.example>',
    ].join('\n')
    expect(readRecipients(text)).toEqual({
      recipients: [
        { email: 'juan@x.example', firstName: 'Juan' },
        { email: 'ana@x.example', firstName: 'Student' },
        { email: 'maria@x.example', firstName: 'Maria Clara' },
        { email: 'jose@x.example', firstName: 'José' },
        { email: 'peter@x.example', firstName: 'Peter' },
      ],
      duplicates: [],
      invalid: [],
      positions: 'line',
      problem: '',
    })
  })

  test('lists duplicates in any case and invalid addresses, each with its line', () => {
    const list = readRecipients(
      'a@x.example\nA@X.Example\njuan.x.example, Ana <ana@x.example>\nLopez, b@x.example',
    )
    expect(list.recipients.map(({ email }) => email)).toEqual(['a@x.example', 'ana@x.example', 'b@x.example'])
    expect(list.duplicates).toEqual([{ position: 2, text: 'A@X.Example', message: recipientMessages.twice }])
    expect(list.invalid).toEqual([
      { position: 3, text: 'juan.x.example', message: 'Please enter a valid email address.' },
      { position: 4, text: 'Lopez', message: 'Please enter a valid email address.' },
    ])
    expect(list.problem).toBe('')
  })

  test.each([
    '',
    '  \n ',
    '[]',
    '[{"email":',
    '{"email":"a@x.example"}',
    'nobody at all',
    null,
    undefined,
    7,
    {},
    [{ firstName: 'Juan' }],
  ])('finds no recipients in %j', (input) => {
    expect(readRecipients(input).problem).toBe('Invalid recipients format')
  })

  test.each([
    'a@x.example\r\nBcc: b@x.example',
    'a@x.example\nb@x.example',
    'a@x.example, b@x.example',
    'a@x.example;b@x.example',
    'a@x.example b@x.example',
    '<a@x.example><b@x.example>',
    'Juan <a@x.example> <b@x.example>',
    'a@x.example>,<b@x.example',
    'a@x.example\0',
    'a\u0001@x.example',
    'a\u200b@x.example',
    '"a"@x.example',
    'a(b)@x.example',
    'group:a@x.example;',
    '@x.example:a@x.example',
    'a@x.example\u2028b@x.example',
    `${'a'.repeat(250)}@x.example`,
    'a@@x.example',
    'a@[127.0.0.1]',
  ])('refuses %j of a JSON array as an address', (email) => {
    expect(emailsOf([email])).toEqual([])
    expect(emailsOf([{ email }])).toEqual([])
  })

  test('removes invisible characters around an address', () => {
    expect(emailsOf('\ufeffa@x.example\u200b\n\u00a0b@x.example')).toEqual(['a@x.example', 'b@x.example'])
  })

  test('refuses first names that break a line or are too long', () => {
    const list = readRecipients([
      { email: 'a@x.example', firstName: 'Juan\n Carlos' },
      { email: 'b@x.example', firstName: 'Ju\u0000an' },
      { email: 'c@x.example', firstName: 'J'.repeat(101) },
      { email: 'd@x.example', firstName: 7 },
    ])
    expect(list.recipients).toEqual([{ email: 'a@x.example', firstName: 'Juan Carlos' }])
    expect(list.invalid.map(({ position, message }) => [position, message])).toEqual([
      [2, recipientMessages.firstName],
      [3, recipientMessages.longFirstName],
      [4, recipientMessages.entry],
    ])
  })

  test('shortens the texts that it returns', () => {
    expect(readRecipients('x'.repeat(5_000)).invalid[0]?.text).toHaveLength(101)
  })

  test('takes recipients up to the limit, quickly', () => {
    const many = Array.from({ length: mailLimits.recipients }, (_, index) => `student${index}@x.example`)
    expect(readRecipients(many.join('\n')).problem).toBe('')
    expect(readRecipients([...many, 'one@x.example']).problem).toBe(recipientMessages.tooMany)
  })

  test('reads hostile lines in linear time', () => {
    const hostile = [
      `${'"<'.repeat(100_000)}`,
      'a@'.repeat(100_000),
      `${'<'.repeat(100_000)}>`,
      ' '.repeat(200_000),
    ]
    const start = performance.now()
    expect(readRecipients(hostile.join('\n')).recipients).toEqual([])
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
