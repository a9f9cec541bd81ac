import { expect, test } from 'vitest'
import { readRecipients } from '#shared/mail/mail-recipients.ts'
import {
  audienceOf,
  type BulkValues,
  bodyOf,
  emptyBulkValues,
  fieldOf,
  isOfStudentsOnly,
  problemsOf,
} from './bulk-values.ts'

const filled: BulkValues = {
  ...emptyBulkValues,
  way: 'students',
  subject: 'Hello',
  body: 'Dear {firstName},',
}
const file = { name: 'cadets.xlsx', list: readRecipients('a@x.example\nnobody') }

test('an empty form says what is missing, in its order', () => {
  const [whom] = problemsOf(emptyBulkValues)
  expect(whom).toEqual({ path: 'recipients', message: 'Please choose the recipients.' })
  expect(problemsOf({ ...emptyBulkValues, way: 'list' })).toEqual([
    { path: 'recipients', message: 'Invalid recipients format' },
    { path: 'subject', message: 'Subject is required' },
    { path: 'body', message: 'Please write the message.' },
  ])
})

test('a list that is no list has the sentence of the specification', () => {
  for (const list of ['[{"email":', '[]', 'nobody', ' , ;']) {
    expect(problemsOf({ ...filled, way: 'list', list })).toEqual([
      { path: 'recipients', message: 'Invalid recipients format' },
    ])
  }
  expect(problemsOf({ ...filled, way: 'list', list: 'a@x.example, nobody' })).toEqual([])
})

test('a spreadsheet has to be chosen, and to hold somebody', () => {
  expect(problemsOf({ ...filled, way: 'file' })).toEqual([
    { path: 'recipients', message: 'Please choose a spreadsheet.' },
  ])
  expect(problemsOf({ ...filled, way: 'file', file })).toEqual([])
})

test('a word in braces that is no placeholder is named', () => {
  const [problem] = problemsOf({ ...filled, body: 'Dear {nmae}' })
  expect(problem).toMatchObject({ path: 'body' })
  expect(problem?.message).toContain('{nmae}')
})

test('a stored template needs no text of one’s own', () => {
  const values = { ...filled, template: 'requirements', body: '' }
  expect(problemsOf(values)).toEqual([])
  expect(bodyOf(values)).toEqual({
    subject: 'Hello',
    template: 'requirements',
    useCustomTemplate: false,
    audience: { archive: 'active' },
  })
})

test('only the chosen way is sent; the list as it was typed', () => {
  const values: BulkValues = { ...filled, component: 'ROTC', list: 'a@x.example\nnobody', file }
  expect(bodyOf(values)).toMatchObject({ audience: { component: 'ROTC', archive: 'active' } })
  expect(bodyOf({ ...values, way: 'list' })).toMatchObject({ recipients: 'a@x.example\nnobody' })
  expect(bodyOf({ ...values, way: 'file' })).toMatchObject({
    recipients: [{ email: 'a@x.example', firstName: 'Student' }],
  })
  expect(bodyOf({ ...values, way: 'list' })).not.toHaveProperty('audience')
})

test('filters that narrow nothing are left out', () => {
  expect(audienceOf({ ...emptyBulkValues, archive: 'all', course: 'SOICT' })).toEqual({
    course: 'SOICT',
    archive: 'all',
  })
})

test('what the server says of whom stands at the recipients', () => {
  expect(['audience.component', 'recipients', 'subject', 'body'].map(fieldOf)).toEqual([
    'recipients',
    'recipients',
    'subject',
    'body',
  ])
})

test('a list knows first names only', () => {
  expect(isOfStudentsOnly('Dear {firstName} {lastName}')).toBe(true)
  expect(isOfStudentsOnly('Dear {firstName}')).toBe(false)
})
