import { describe, expect, test } from 'vitest'
import { fillPlaceholders, fillSubject, placeholderProblem } from './mail-placeholders.ts'

const values = { firstName: 'Ana', lastName: 'Peña', component: 'CWTS', reference: 'NSTP-7K3D-M9QX' }

describe('placeholders', () => {
  test('are replaced by the values of the recipient', () => {
    expect(fillPlaceholders('Dear {firstName} {lastName}, {component}: {reference}', values)).toBe(
      'Dear Ana Peña, CWTS: NSTP-7K3D-M9QX',
    )
  })

  test('are empty when a value is missing, and Student for the first name', () => {
    expect(fillPlaceholders('{firstName}|{course}|{academicYear}|', {})).toBe('Student|||')
    expect(fillPlaceholders('{firstName}', { firstName: '  ' })).toBe('Student')
  })

  test('are not replaced inside values', () => {
    expect(fillPlaceholders('{firstName}', { firstName: '{reference}', reference: 'secret' })).toBe(
      '{reference}',
    )
  })

  test('are encoded by the given function', () => {
    expect(
      fillPlaceholders('<b>{firstName}</b>', { firstName: '<i>' }, (text) => text.length.toString()),
    ).toBe('<b>3</b>')
  })

  test('with an unknown name are refused', () => {
    expect(placeholderProblem('Dear {firstName} {surname}, see {page}')).toBe(
      'Unknown placeholder {surname}. You can use {firstName}, {lastName}, {component}, {course}, {academicYear}, {reference}, {section}, {adviser}, {meets}, {serialNumber}.',
    )
    expect(placeholderProblem('Dear {firstName}, { braces } and {} and {1} are text')).toBeUndefined()
    expect(fillPlaceholders('{surname} {constructor}', values)).toBe('{surname} {constructor}')
  })

  test.each(['\r\n', '\n', '\u2028', '\u2029', '\u0085', '\0', '\v'])('add no %j to a subject', (mark) => {
    const name = `Ana${mark}Bcc: other@example.com`
    expect(fillSubject(`Hello {firstName}${mark}`, { firstName: name })).toBe(
      'Hello Ana Bcc: other@example.com',
    )
  })
})
