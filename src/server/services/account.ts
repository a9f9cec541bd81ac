import { createRefusals } from '#server/features/audit/refusals.ts'
import { createAdministrators } from '#server/features/auth/administrators.ts'
import {
  createPasswordProof,
  createPasswordService,
  createPasswords,
} from '#server/features/auth/password-service.ts'
import {
  createSecondFactorCheck,
  createSecondFactorService,
} from '#server/features/auth/second-factor-service.ts'
import { createAuthService, createDevicesService } from '#server/features/auth/service.ts'
import { createSessionCookies, createTokens } from '#server/features/auth/session-cookies.ts'
import { createApiTokensService } from '#server/features/auth/token-service.ts'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { AppContext } from './context.ts'

export function createAccountServices(context: AppContext, settings: () => Settings) {
  const { env, database, notices, log, clock, secretKey, audit } = context
  const { publish } = notices
  const refusals = createRefusals({ audit, database, clock, log })
  const noteRefusal = refusals.note
  const passwords = createPasswords(context.passwordCost)
  const tokens = createTokens(secretKey)
  const secrets = createSealedSecrets({ secretKey, purpose: 'two-factor sign-in' })
  const proof = createPasswordProof({ database, passwords, clock, noteRefusal })
  const cookies = createSessionCookies({
    publicUrl: env.PUBLIC_URL,
    trustProxy: env.TRUST_PROXY === 'on',
  })
  const changes = { database, clock, publish, audit }
  const auth = createAuthService({
    ...changes,
    passwords,
    tokens,
    defaultEmail: env.ADMIN_EMAIL,
    noteRefusal,
    secondFactor: createSecondFactorCheck({ secrets, log }),
  })
  const password = createPasswordService({
    ...changes,
    passwords,
    tokens,
    proof,
    ownWords: () => [settings().systemName, settings().schoolName],
  })
  const secondFactor = createSecondFactorService({
    ...changes,
    proof,
    secrets,
    systemName: () => settings().systemName,
  })
  const apiTokens = createApiTokensService(changes)
  return {
    auth,
    tokens: apiTokens,
    isOwnToken: tokens.isOwn,
    administrators: createAdministrators({ ...changes, passwords }),
    refusals,
    parts: {
      session: { auth, cookies },
      password: { service: password, cookies },
      devices: { service: createDevicesService(changes), cookies },
      secondFactor: { service: secondFactor, cookies },
      tokens: { tokens: apiTokens },
    },
  }
}
