import * as z from 'zod/mini'
import {
  completeMailAccount,
  emptyMailAccount,
  type MailAccountInput,
  mailAccountMessages,
  mailAccountSchema,
  missingFields,
} from '#shared/mail/mail-account.ts'
import type { MailAccount } from '#shared/mail/mail-response.ts'
import { endpointOfTenant, oauthProviders, tenantOfEndpoint } from '#shared/mail/mail-sign-in.ts'
import type { FieldError } from '#shared/problem.ts'
import { problemsOfSchema } from '#web/components/form.tsx'
import type { EmailFrameData } from './email-data.ts'

/** The values in form order. The server never returns the secrets. */
export function initialConfig(account: MailAccount | null, defaults: EmailFrameData['defaults']) {
  const initial = account ?? { ...emptyMailAccount, ...defaults }
  return {
    emailUser: initial.senderAddress,
    signIn: initial.signIn,
    emailPassword: '',
    // The tenant is a part of Microsoft's token address.
    tenant: tenantOfEndpoint(initial.tokenEndpoint),
    tokenEndpoint: initial.tokenEndpoint,
    clientId: initial.clientId,
    clientSecret: '',
    grant: initial.grant,
    tokenScope: initial.tokenScope,
    refreshToken: '',
    senderName: initial.senderName,
    host: initial.host,
    port: String(initial.port),
    // TLS from the first byte, or STARTTLS.
    secure: initial.secure ? 'tls' : 'starttls',
    userName: initial.userName,
    imapHost: initial.imapHost,
    imapPort: String(initial.imapPort),
  }
}

export type ConfigValues = ReturnType<typeof initialConfig>

/** An invalid port becomes NaN, which its rule refuses. An empty token address is the provider's, or the stored one. */
export function configInput(values: ConfigValues): MailAccountInput {
  const { emailUser, senderName, host, port, secure, userName, imapHost, imapPort, signIn } = values
  return {
    ...{ emailUser, senderName, host, userName, imapHost, signIn },
    ...{ port: numberOf(port), secure: secure === 'tls', imapPort: numberOf(imapPort) },
    ...signInInput(values),
  }
}

function signInInput({ signIn, emailPassword, tenant, ...values }: ConfigValues) {
  if (signIn === 'password') return { emailPassword, clientSecret: '', refreshToken: '' }
  const { clientId, clientSecret } = values
  const { grants } = oauthProviders[signIn]
  const grant = grants.includes(values.grant) ? values.grant : grants[0]
  return {
    emailPassword: '',
    tokenEndpoint: signIn === 'microsoft' ? endpointOfTenant(tenant) : '',
    tokenScope: '',
    ...(signIn === 'other' && { tokenEndpoint: values.tokenEndpoint, tokenScope: values.tokenScope }),
    grant,
    clientId,
    clientSecret,
    refreshToken: grant === 'refresh_token' ? values.refreshToken : '',
  }
}

/** The problems in form order. @param stored the account whose secrets can be reused; null for none */
export function problemsOfConfig(values: ConfigValues, stored: MailAccount | null): FieldError[] {
  const input = configInput(values)
  const checked = z.safeParse(mailAccountSchema, input).data ?? input
  const complete = completeMailAccount(checked, {
    ...{ ...emptyMailAccount, host: '', port: 0, secure: true },
    ...stored,
  })
  const missing = missingFields(complete, checked, stored)
  const host = values.host.trim() === '' ? [{ path: 'host', message: mailAccountMessages.host }] : []
  const found = [...missing, ...host, ...problemsOfSchema(mailAccountSchema, input)]
  if (values.signIn === 'microsoft' && input.tokenEndpoint === '') {
    found.push({ path: 'tenant', message: mailAccountMessages.tenant })
  }
  // The tenant makes Microsoft's address.
  const visible = Object.keys(values).filter((name) => name !== 'tokenEndpoint' || values.signIn === 'other')
  return visible.flatMap((name) => found.find(({ path }) => path === name) ?? [])
}

function numberOf(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN
}
