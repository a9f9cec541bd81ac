import { expect, test } from 'vitest'
import { addressOf, isSameForm, type ManagerAddress, managerAddress } from './data.ts'

const plain: ManagerAddress = { department: null, view: null, opened: null }

test.each<[ManagerAddress, string]>([
  [plain, '/admin?tab=orgchart'],
  [{ ...plain, department: 'Faculty', view: 'list' }, '/admin?tab=orgchart&department=Faculty&view=list'],
  [{ ...plain, opened: { kind: 'edit', id: 'a1' } }, '/admin?tab=orgchart&edit=a1'],
  [{ ...plain, opened: { kind: 'new', parentId: 'a1' } }, '/admin?tab=orgchart&add=a1'],
  [{ ...plain, opened: { kind: 'new', parentId: null } }, '/admin?tab=orgchart&add='],
])('%j is written as %s, and read again', (address, path) => {
  expect(managerAddress(address)).toBe(path)
  expect(addressOf(new URL(path, 'http://localhost'))).toEqual(address)
})

test('invalid parameters are ignored', () => {
  expect(addressOf({ search: '?department=Kitchen&view=map&edit=' })).toEqual(plain)
})

test('forms are the same for the same position, or under the same one', () => {
  const edit = { kind: 'edit', id: 'a' } as const
  const add = { kind: 'new', parentId: 'a' } as const
  expect([isSameForm(edit, { ...edit }), isSameForm(add, { ...add }), isSameForm(null, null)]).toEqual([
    true,
    true,
    true,
  ])
  expect([isSameForm(edit, add), isSameForm(null, add), isSameForm(add, null)]).toEqual([false, false, false])
})
