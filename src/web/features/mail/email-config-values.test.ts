import { describe, expect, test } from 'vitest'
import { passwordSignIn } from '#shared/mail/mail-account.ts'
import { configInput, initialConfig, problemsOfConfig } from './email-config-values.ts'

const defaults = { host: 'smtp.gmail.com', port: 465, secure: true }
const account = {
  senderAddress: 'office@school.example',
  senderName: '',
  userName: '',
  host: 'smtp.gmail.com',
  port: 465,
  secure: true,
  imapHost: 'imap.gmail.com',
  imapPort: 993,
  ...passwordSignIn,
  version: 3,
}
const fillAll = 'Please fill in all configuration fields'
const fresh = initialConfig(null, defaults)
const stored = initialConfig(account, defaults)

describe('a new configuration', () => {
  test('starts with the server’s defaults', () => {
    expect(configInput(fresh)).toMatchObject(defaults)
  })

  test('needs the address and the password', () => {
    expect(problemsOfConfig(fresh, null)).toEqual([
      { path: 'emailUser', message: fillAll },
      { path: 'emailPassword', message: fillAll },
    ])
  })

  test('reports all errors in form order', () => {
    const typed = { ...fresh, emailUser: 'office', port: 'mail', host: ' ', imapHost: 'in box' }
    expect(problemsOfConfig(typed, null).map(({ path }) => path)).toEqual([
      'emailUser',
      'emailPassword',
      'host',
      'port',
      'imapHost',
    ])
  })
})

describe('a stored password', () => {
  test('is reused for another sender name', () => {
    expect(problemsOfConfig({ ...stored, senderName: 'The Office' }, account)).toEqual([])
  })

  test('must be entered again for another server', () => {
    const [problem] = problemsOfConfig({ ...stored, host: 'smtp.evil.example' }, account)
    expect(problem?.path).toBe('emailPassword')
  })
})

test('the spaces of a Google app password are removed', () => {
  const typed = { ...fresh, emailUser: 'a@b.example', emailPassword: 'abcd\u00a0efgh ijkl mnop' }
  expect(problemsOfConfig(typed, null)).toEqual([])
})
