import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { passwordSignIn } from '#shared/mail/mail-account.ts'
import type { MailAccount } from '#shared/mail/mail-response.ts'
import { ConfigPanel } from '#web/features/mail/email-config.tsx'
import type { EmailFrameData } from '#web/features/mail/email-data.ts'
import { openScreen } from './open-screen.tsx'
import { refusal, serve } from './stub-server.ts'

const account: MailAccount = {
  ...{ senderAddress: 'office@school.example', senderName: '', userName: '', version: 3 },
  ...{ host: 'smtp.gmail.com', port: 465, secure: true, imapHost: '', imapPort: 993 },
  ...passwordSignIn,
}

const refused = { title: '', status: 422, code: 'invalid' }

function frameOf(stored: MailAccount): EmailFrameData {
  const counts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }
  const times = { finishesAt: null, sentToday: 0, perDay: 450, perMinute: 20 }
  return {
    account: stored,
    defaults: { host: 'smtp.gmail.com', port: 465, secure: true },
    status: { isConfigured: true, status: 'ok', message: '' },
    publicAddress: 'https://nstp.school.example',
    isFixed: true,
    queue: { counts, isConfigured: true, hasPublicAddress: true, trouble: '', ...times },
    returned: 0,
  }
}

function open(stored: MailAccount) {
  return openScreen(<ConfigPanel data={frameOf(stored)} onChange={() => undefined} />).user
}

const field = (name: RegExp) => screen.queryByLabelText<HTMLInputElement>(name, { selector: 'input, select' })
const way = () => screen.getByLabelText('How this account signs in')
const save = () => screen.getByRole('button', { name: 'Test and save' })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('each way of signing in shows its own fields, and brings its provider’s servers', async () => {
  const user = open(account)
  const shown = () =>
    [/^App password/, /^Directory/, /^Token address/, /^Client ID/, /^Client secret/, /^Refresh token/].map(
      (name) => field(name) !== null,
    )
  expect(shown()).toEqual([true, false, false, false, false, false])
  await user.selectOptions(way(), 'OAuth 2 (Microsoft 365)')
  expect(shown()).toEqual([false, true, false, true, true, false])
  expect(field(/^Mail server/)?.value).toBe('smtp.office365.com')
  await user.selectOptions(screen.getByLabelText('Whose permission'), 'Of a person (refresh token)')
  expect(shown()).toEqual([false, true, false, true, true, true])
  await user.selectOptions(way(), 'OAuth 2 (Google)')
  expect(shown()).toEqual([false, false, false, true, true, true])
  expect(field(/^Mail server/)?.value).toBe('smtp.gmail.com')
  await user.selectOptions(way(), 'OAuth 2 (another provider)')
  expect(shown()).toEqual([false, false, true, true, true, true])
})

test('what is missing is said, a tenant makes Microsoft’s token address, and a refusal stands at its field', async () => {
  const sentence = 'Microsoft 365 does not accept the client ID and the client secret.'
  const asked = serve(() => ({
    status: 422,
    body: { ...refused, detail: sentence, errors: [{ path: 'clientSecret', message: sentence }] },
  }))
  const user = open(account)
  await user.selectOptions(way(), 'OAuth 2 (Microsoft 365)')
  await user.click(save())
  expect(await screen.findByText(/^Please enter the directory/)).toBeTruthy()
  expect(screen.getAllByText('Please fill in all configuration fields')).toHaveLength(2)
  expect(asked).toEqual([])

  const type = async (name: RegExp, text: string) =>
    user.type(screen.getByLabelText(name, { selector: 'input' }), text)
  await type(/^Directory/, 'school.example')
  await type(/^Client ID/, 'the app')
  await type(/^Client secret/, 'a secret')
  await user.click(save())
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(asked.map(({ body }) => body)).toMatchObject([
    {
      signIn: 'microsoft',
      emailPassword: '',
      tokenEndpoint: 'https://login.microsoftonline.com/school.example/oauth2/v2.0/token',
      grant: 'client_credentials',
      clientId: 'the app',
      clientSecret: 'a secret',
      refreshToken: '',
    },
  ])
})

test('a stored account shows no secret, and keeps it where the fields stay blank', async () => {
  const asked = serve(() => refusal(503, 'unavailable', 'Not now.'))
  const tokenEndpoint = 'https://oauth2.googleapis.com/token'
  const user = open({
    ...account,
    signIn: 'google',
    grant: 'refresh_token',
    tokenEndpoint,
    clientId: 'the app',
  })
  expect(field(/^Client ID/)?.value).toBe('the app')
  expect([field(/^Client secret/)?.value, field(/^Refresh token/)?.value]).toEqual(['', ''])
  await user.type(screen.getByLabelText('Sender name'), 'The Office')
  await user.click(save())
  expect(await screen.findByText('Not now.')).toBeTruthy()
  expect(asked[0]?.body).toMatchObject({ senderName: 'The Office', clientSecret: '', refreshToken: '' })
})
