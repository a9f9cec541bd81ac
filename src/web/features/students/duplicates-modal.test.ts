import { describe, expect, test } from 'vitest'
import { buildStudentRecord } from '#tests/factories/student-record.ts'
import {
  commonFields,
  defaultChoices,
  differingFields,
  likenesses,
  type MergeChoices,
  mergeOf,
  sideOf,
  takeAll,
} from './duplicates-modal.tsx'

const left = buildStudentRecord({
  id: 'l',
  version: 3,
  lastName: 'Cruz',
  studentId: '',
  email: 'old@school.example',
  registrationDate: '2026-08-03T00:00:00.000Z',
})
const right = buildStudentRecord({
  id: 'r',
  version: 5,
  lastName: 'dela Cruz',
  studentId: '2026-00123',
  email: 'new@school.example',
  registrationDate: '2026-08-04T00:00:00.000Z',
})
const pair = { left, right }
const keepLeft: MergeChoices = { keep: 'left', take: {} }

test('different and equal fields are in form order, without empty ones', () => {
  expect(differingFields(pair)).toEqual(['lastName', 'email', 'studentId'])
  const both = { left: { ...left, college: '' }, right: { ...right, college: '' } }
  expect(commonFields(both)).not.toContain('college')
  expect(commonFields(pair).slice(0, 2)).toEqual(['firstName', 'middleName'])
})

describe('the record to keep by default', () => {
  test('is the earlier one', () => {
    expect(defaultChoices(pair).keep).toBe('left')
    expect(defaultChoices({ left: right, right: left }).keep).toBe('right')
  })

  test('is the active one', () => {
    expect(defaultChoices({ left: { ...left, archived: true }, right }).keep).toBe('right')
    expect(defaultChoices({ left: right, right: { ...left, archived: true } }).keep).toBe('left')
  })
})

describe('a field', () => {
  test('takes the value of the record to keep, unless it is empty', () => {
    expect(sideOf('lastName', keepLeft, pair)).toBe('left')
    expect(sideOf('lastName', { ...keepLeft, keep: 'right' }, pair)).toBe('right')
    expect(sideOf('studentId', keepLeft, pair)).toBe('right')
  })

  test('keeps its choice when the record to keep changes', () => {
    const choices: MergeChoices = { keep: 'left', take: { lastName: 'right' } }
    expect(sideOf('lastName', choices, pair)).toBe('right')
    expect(sideOf('lastName', { ...choices, keep: 'right' }, pair)).toBe('right')
  })

  test('can be taken from one record with all others', () => {
    const choices = takeAll('left', keepLeft, pair)
    expect(choices).toEqual({ keep: 'left', take: { lastName: 'left', email: 'left', studentId: 'left' } })
  })
})

test('a merge names both records with their versions, and whose value each differing field gets', () => {
  expect(mergeOf({ keep: 'right', take: { lastName: 'left' } }, pair)).toEqual({
    keepId: 'r',
    keepVersion: 5,
    dropId: 'l',
    dropVersion: 3,
    take: { lastName: 'drop', email: 'keep', studentId: 'keep' },
  })
})

describe('the reasons for a possible duplicate', () => {
  const one = { lastName: 'Dela  Cruz', email: 'A@x.ph', studentId: ' 12a', dateOfBirth: '2007-01-01' }
  const other = { lastName: 'dela cruz', email: 'a@x.ph', studentId: '12A', dateOfBirth: '2007-01-01' }

  test('ignore case and spaces', () => {
    expect(likenesses(buildStudentRecord(one), buildStudentRecord(other))).toEqual([
      'Same name and birth date',
      'Same email',
      'Same student ID',
    ])
  })

  test('ignore empty values', () => {
    const changes = { email: 'b@x.ph', studentId: 'none', dateOfBirth: '2007-01-02' }
    expect(
      likenesses(buildStudentRecord({ ...one, studentId: 'none' }), buildStudentRecord(changes)),
    ).toEqual([])
  })
})
