import { expect, test } from 'vitest'
import { subjectAfter } from './bulk-form.tsx'

const templates = [
  { name: 'a', title: 'A', subject: 'About A', text: '' },
  { name: 'b', title: 'B', subject: 'About B', text: '' },
]

test('a template sets its subject, replacing another template’s', () => {
  expect(subjectAfter('a', ' ', templates)).toBe('About A')
  expect(subjectAfter('b', 'About A', templates)).toBe('About B')
})

test('a typed subject stays', () => {
  expect(subjectAfter('a', 'Mine', templates)).toBe('Mine')
})

test('a custom message keeps the current subject', () => {
  expect(subjectAfter('custom', 'About A', templates)).toBe('About A')
})
