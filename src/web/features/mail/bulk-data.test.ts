import { expect, test } from 'vitest'
import { readRecipients } from '#shared/mail/mail-recipients.ts'
import {
  audienceOf,
  type BulkAddress,
  type BulkValues,
  bodyOf,
  bulkAddress,
  emptyBulkValues,
  fieldOf,
  isOfStudentsOnly,
  problemsOf,
  startOf,
} from './bulk-data.ts'

const read = (path: string) => bulkAddress.read(new URL(path, 'https://nstp.example').search)

test('a written address is read back', () => {
  const everything: BulkAddress = {
    batch: '01990000-0000-7000-8000-000000000001',
    state: 'failed',
    search: 'juan+a@x.example',
    cursor: '1790000000000.01990000-0000-7000-8000-000000000002',
    message: '01990000-0000-7000-8000-000000000003',
  }
  expect(read(bulkAddress.to(everything))).toEqual(everything)
})

test('the form has the shortest address', () => {
  expect(bulkAddress.to({})).toBe('/admin?tab=email&pane=bulk')
  expect(read(bulkAddress.to({})).batch).toBe('')
})

test('invalid parameters are ignored', () => {
  const address = read('/admin?tab=email&pane=bulk&state=lost&search=a%00b')
  expect(address).toMatchObject({ state: 'all', search: '' })
})

test('a training day leads here with its students and a text, for the account alone that pressed it', () => {
  const text = { subject: 'No training', body: 'Dear {firstName},' }
  const location = { search: '', state: { studentIds: ['a', 'b'], by: 'me', text } }
  expect(startOf(location, 'me')).toEqual({ ...emptyBulkValues, way: 'students', ids: ['a', 'b'], ...text })
  expect(startOf(location, 'other')).toEqual(emptyBulkValues)
})

const filled: BulkValues = {
  ...emptyBulkValues,
  way: 'students',
  subject: 'Hello',
  body: 'Dear {firstName},',
}
const file = {
  source: new File([], 'cadets.xlsx'),
  list: { ...readRecipients('a@x.example\nnobody'), readingNotes: [] },
}

test('an empty form lists what is missing, in form order', () => {
  const [whom] = problemsOf(emptyBulkValues)
  expect(whom).toEqual({ path: 'way', message: 'Please choose the recipients.' })
  expect(problemsOf({ ...emptyBulkValues, way: 'list' })).toEqual([
    { path: 'way', message: 'Invalid recipients format' },
    { path: 'subject', message: 'Subject is required' },
    { path: 'body', message: 'Please write the message.' },
  ])
})

test('an invalid list has its message', () => {
  for (const list of ['[{"email":', '[]', 'nobody', ' , ;']) {
    expect(problemsOf({ ...filled, way: 'list', list })).toEqual([
      { path: 'way', message: 'Invalid recipients format' },
    ])
  }
  expect(problemsOf({ ...filled, way: 'list', list: 'a@x.example, nobody' })).toEqual([])
})

test('a spreadsheet with recipients is required', () => {
  expect(problemsOf({ ...filled, way: 'file' })).toEqual([
    { path: 'way', message: 'Please choose a spreadsheet.' },
  ])
  expect(problemsOf({ ...filled, way: 'file', file })).toEqual([])
})

test('an unknown placeholder is named', () => {
  const [problem] = problemsOf({ ...filled, body: 'Dear {nmae}' })
  expect(problem).toMatchObject({ path: 'body' })
  expect(problem?.message).toContain('{nmae}')
})

test('a stored template needs no custom message', () => {
  const values = { ...filled, template: 'requirements', body: '' }
  expect(problemsOf(values)).toEqual([])
  expect(bodyOf(values)).toEqual({
    subject: 'Hello',
    template: 'requirements',
    useCustomTemplate: false,
    audience: { archive: 'active' },
  })
})

test('only the selected way is sent; the list as typed', () => {
  const values: BulkValues = { ...filled, component: 'ROTC', list: 'a@x.example\nnobody', file }
  expect(bodyOf(values)).toMatchObject({ audience: { component: 'ROTC', archive: 'active' } })
  expect(bodyOf({ ...values, way: 'list' })).toMatchObject({ recipients: 'a@x.example\nnobody' })
  expect(bodyOf({ ...values, way: 'file' })).toMatchObject({
    recipients: [{ email: 'a@x.example', firstName: 'Student' }],
  })
  expect(bodyOf({ ...values, way: 'list' })).not.toHaveProperty('audience')
})

test('filters without effect are omitted', () => {
  expect(audienceOf({ ...emptyBulkValues, archive: 'all', course: 'SOICT' })).toEqual({
    course: 'SOICT',
    archive: 'all',
  })
})

test('the server’s errors about recipients are shown at the recipients', () => {
  expect(['audience.component', 'recipients', 'subject', 'body'].map(fieldOf)).toEqual([
    'way',
    'way',
    'subject',
    'body',
  ])
})

test('a list has first names only', () => {
  expect(isOfStudentsOnly('Dear {firstName} {lastName}')).toBe(true)
  expect(isOfStudentsOnly('Dear {firstName}')).toBe(false)
})

test('selected students get it whether or not they are archived', () => {
  const ids = ['01990000-0000-7000-8000-000000000001']
  expect(audienceOf({ ...emptyBulkValues, ids })).toEqual({ ids, archive: 'all' })
})
