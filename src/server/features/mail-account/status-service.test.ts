import pino from 'pino'
import { expect, test } from 'vitest'
import { DatabaseSilentError } from '#server/database/errors.ts'
import { createMailStatus } from './status-service.ts'

test('a check that fails says so in the words of the specification, and the log why', async () => {
  const logged: string[] = []
  const status = createMailStatus({
    account: {
      load: () => Promise.reject(new DatabaseSilentError('no answer')),
      current: () => null,
      lacksPassword: () => false,
    },
    trouble: () => '',
    log: pino({}, { write: (line) => logged.push(line) }),
  })
  expect(await status()).toEqual({
    isConfigured: false,
    status: 'error',
    message: 'Could not connect to email service. Please check Firebase Function configuration.',
  })
  expect(logged.join()).toContain('the mail account was not read')
})
