import { expect, test } from 'vitest'
import { subjectAfter } from './message-fields.tsx'

const templates = [
  { name: 'a', title: 'A', subject: 'About A', text: '' },
  { name: 'b', title: 'B', subject: 'About B', text: '' },
]

test('a text brings its subject, in place of another text’s', () => {
  expect(subjectAfter('a', ' ', templates)).toBe('About A')
  expect(subjectAfter('b', 'About A', templates)).toBe('About B')
})

test('what somebody typed stays', () => {
  expect(subjectAfter('a', 'Mine', templates)).toBe('Mine')
})

test('one’s own text goes on with the subject that stands there', () => {
  expect(subjectAfter('custom', 'About A', templates)).toBe('About A')
})
