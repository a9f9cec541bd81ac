import { expect, test } from 'vitest'
import { type OutboxAddress, outboxPath, readOutboxAddress } from './outbox-address.ts'

const read = (path: string) => readOutboxAddress(new URL(path, 'https://nstp.example').searchParams)

test('what is written is read again', () => {
  const everything: OutboxAddress = {
    state: 'unknown',
    kind: 'welcome',
    search: 'Welcome to NSTP',
    cursor: '1790000000000.01990000-0000-7000-8000-000000000002',
    message: '01990000-0000-7000-8000-000000000003',
  }
  expect(read(outboxPath(everything))).toEqual(everything)
})

test('all messages have the shortest address', () => {
  expect(outboxPath()).toBe('/admin?tab=email&pane=outbox')
})

test('what an address says wrongly counts as not said', () => {
  expect(read('/admin?tab=email&pane=outbox&state=x&kind=y&search=%07')).toEqual({
    state: null,
    kind: null,
    search: '',
    cursor: '',
    message: null,
  })
})
