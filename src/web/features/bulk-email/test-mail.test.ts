import { expect, test } from 'vitest'
import { ownText } from './bulk-values.ts'
import { testMailOf } from './test-mail.ts'

const maria = { email: 'maria@school.example', firstName: 'Maria' }
const reminder = {
  name: 'reminder',
  title: 'Reminder',
  subject: 'Bring it',
  text: 'Dear {firstName}, bring it.',
}

test('one’s own text is sent as text, filled for the recipient', () => {
  const own = { subject: 'To {firstName}', template: ownText, body: 'Dear {firstName}, write <b>bold</b>.' }
  expect(testMailOf(own, [reminder], maria)).toEqual({
    subject: 'To Maria',
    message: 'Dear Maria, write <b>bold</b>.',
    format: 'text',
  })
})

test('a stored text is sent by its words, to nobody in particular as to a student', () => {
  const stored = { subject: 'Bring it', template: 'reminder', body: 'left from before' }
  expect(testMailOf(stored, [reminder], undefined)).toMatchObject({ message: 'Dear Student, bring it.' })
})
