import { expect, test } from 'vitest'
import { instantTexts } from '#web/lib/date-texts.ts'
import {
  canSendAgain,
  messageNote,
  nothingFoundTitle,
  type OutboxAddress,
  outboxAddress,
} from './outbox-data.ts'

const texts = instantTexts('Asia/Manila')
const queued = { state: 'queued', attempts: 0, failure: '', notBefore: null } as const

test('a message in the queue has no note', () => {
  expect(messageNote({ ...queued, notBefore: '2026-11-21T06:00:00Z' }, texts)).toBe('')
})

test('after a temporary refusal the note has reason, attempts and next attempt', () => {
  const refused = {
    ...queued,
    attempts: 2,
    failure: 'The mailbox is busy.',
    notBefore: '2026-11-21T06:00:00Z',
  }
  expect(messageNote(refused, texts)).toBe(
    'The mailbox is busy. Tried 2 times. Next try: Nov 21, 2026, 2:00 PM.',
  )
})

test('a full stop is added to the mail server’s text', () => {
  const refused = { ...queued, attempts: 1, failure: 'The mail server refused the e-mail: 451 try later' }
  expect(messageNote(refused, texts)).toBe('The mail server refused the e-mail: 451 try later. Tried once.')
  expect(messageNote({ ...refused, failure: '' }, texts)).toBe('Tried once.')
})

test('the note of an ended message is its reason only', () => {
  const failed = { ...queued, state: 'failed', attempts: 3, failure: 'There is no such mailbox.' } as const
  expect(messageNote(failed, texts)).toBe('There is no such mailbox.')
})

test('only failed and unknown messages can be sent again', () => {
  const states = ['queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled'] as const
  expect(states.filter((state) => canSendAgain({ state, kind: 'single' }))).toEqual(['failed', 'unknown'])
})

test('an empty list of unknown messages means nothing to review only without other filters', () => {
  const unknown = { state: 'unknown', kind: 'all', search: '' } as const
  expect(nothingFoundTitle(unknown)).toBe('Nothing to review.')
  expect(nothingFoundTitle({ ...unknown, search: 'juan' })).toBe('No messages match these filters.')
  expect(nothingFoundTitle({ ...unknown, kind: 'bulk' })).toBe('No messages match these filters.')
})

const read = (path: string) => outboxAddress.read(new URL(path, 'https://nstp.example').search)

test('a written address is read back', () => {
  const everything: OutboxAddress = {
    state: 'unknown',
    kind: 'welcome',
    search: 'Welcome to NSTP',
    cursor: '1790000000000.01990000-0000-7000-8000-000000000002',
    message: '01990000-0000-7000-8000-000000000003',
  }
  expect(read(outboxAddress.to(everything))).toEqual(everything)
})

test('all messages have the shortest address', () => {
  expect(outboxAddress.to({ state: 'all', search: '' })).toBe('/admin?tab=email&pane=outbox')
})

test('invalid parameters are ignored', () => {
  expect(read('/admin?tab=email&pane=outbox&state=x&kind=y&search=%07')).toEqual({
    state: 'all',
    kind: 'all',
    search: '',
    cursor: '',
    message: '',
  })
})
