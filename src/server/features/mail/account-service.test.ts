import pino from 'pino'
import { expect, test } from 'vitest'
import { DatabaseSilentError } from '#server/database/errors.ts'
import { createMailStatus } from './account-service.ts'

test('a failed check says what the coordinator can do, and the log says why it failed', async () => {
  const logged: string[] = []
  const status = createMailStatus({
    account: {
      load: () => Promise.reject(new DatabaseSilentError('no answer')),
      current: () => null,
      unreadable: () => '',
    },
    problem: () => '',
    log: pino({}, { write: (line) => logged.push(line) }),
  })
  expect(await status()).toEqual({
    isConfigured: false,
    status: 'error',
    message:
      'Could not connect to email service. Please try again in a moment, then check the configuration in Email System.',
  })
  expect(logged.join()).toContain('the mail account was not read')
})
