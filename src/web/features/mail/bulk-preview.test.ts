import { describe, expect, test } from 'vitest'
import { ownText } from './bulk-data.ts'
import { missingForPreview, previewRequest } from './bulk-preview.tsx'

const own = { subject: 'Orientation', template: ownText, body: 'Dear {firstName}' }
const stored = { subject: 'Orientation', template: 'reminder', body: 'left from before' }

describe('what is previewed', () => {
  test('is a custom message with the recipient’s values', () => {
    const recipient = { email: 'maria@school.example', firstName: 'Maria', lastName: '' }
    expect(previewRequest(own, recipient)).toEqual({
      subject: 'Orientation',
      message: 'Dear {firstName}',
      format: 'text',
      values: { firstName: 'Maria' },
    })
  })

  test('is a stored template by its name, without a recipient', () => {
    expect(previewRequest(stored, undefined)).toEqual({
      subject: 'Orientation',
      message: '',
      template: 'reminder',
      values: {},
    })
  })
})

describe('nothing is missing for the preview', () => {
  test.each([own, stored, { ...stored, body: '' }])('of a complete message', (written) => {
    expect(missingForPreview(written)).toBeNull()
  })
})

describe('before the preview', () => {
  test.each([
    { ...own, subject: ' ' },
    { ...own, body: '' },
    { ...stored, subject: '' },
  ])('subject and message are required', (written) => {
    expect(missingForPreview(written)).toMatch(/^Enter a subject and a message/)
  })

  test.each([
    { ...own, body: 'Dear {nmae}' },
    { ...stored, subject: 'To {nmae}' },
  ])('an unknown placeholder must be corrected', (written) => {
    expect(missingForPreview(written)).toMatch(/^Correct the marked placeholder/)
  })
})
