import { expect, test } from 'vitest'
import { type ChartAddress, chartAddress, isSameForm } from './data.ts'

const plain: ChartAddress = { department: null, view: null, edit: null, add: null }

test.each<[ChartAddress, string]>([
  [plain, '/admin?tab=orgchart'],
  [{ ...plain, department: 'Faculty', view: 'list' }, '/admin?tab=orgchart&department=Faculty&view=list'],
  [{ ...plain, edit: 'a1' }, '/admin?tab=orgchart&edit=a1'],
  [{ ...plain, add: 'a1' }, '/admin?tab=orgchart&add=a1'],
  [{ ...plain, add: '' }, '/admin?tab=orgchart&add='],
])('%j is written as %s, and read again', (address, path) => {
  expect(chartAddress.to(address)).toBe(path)
  expect(chartAddress.read(new URL(path, 'http://localhost').search)).toEqual(address)
})

test('invalid parameters are ignored', () => {
  expect(chartAddress.read('?department=Kitchen&view=map&edit=')).toEqual(plain)
})

test('forms are the same for the same position, or under the same one', () => {
  const edit = { edit: 'a', add: null }
  const add = { edit: null, add: 'a' }
  expect([isSameForm(edit, { ...edit }), isSameForm(add, { ...add })]).toEqual([true, true])
  expect([isSameForm(edit, add), isSameForm(plain, add)]).toEqual([false, false])
})
