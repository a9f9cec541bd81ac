import { expect, test } from 'vitest'
import { roles } from '#shared/people/permissions.ts'
import { accessOf, accessOfToken } from './access.ts'
import { visible } from './visible.ts'

const record = { id: '1', lastName: 'Dela Cruz', email: 'ana@example.com', religion: 'Aglipayan' }

test('a member that no class has is shown to nobody who lacks a class, and doesn’t compile', () => {
  const shown = roles.map((role) => {
    // @ts-expect-error: it would have to be listed in student-fields.ts
    const seen = visible({ ...record, remark: 'was ill' }, accessOf({ role, components: [] }))
    return [role, seen.remark]
  })
  expect(Object.fromEntries(shown)).toEqual({
    administrator: 'was ill',
    coordinator: 'was ill',
    assistant: '',
    registrar: '',
    'privacy officer': 'was ill',
    facilitator: '',
  })
})

test('the values of a change, whose names are stored, are hidden by the same rule', () => {
  const values: Record<string, string> = { lastName: 'Dela Cruz', religion: 'Aglipayan', constructor: 'x' }
  expect(visible(values, accessOfToken)).toEqual({ lastName: 'Dela Cruz', religion: '', constructor: '' })
})

test('a record keeps its members, hidden texts are empty and other hidden values null', () => {
  const access = accessOf({ role: 'registrar', components: [] })
  expect(visible({ ...record, consentedAt: new Date(0) }, access)).toEqual({
    ...{ id: '1', lastName: 'Dela Cruz', email: '', religion: '', consentedAt: null },
  })
})
