import { z } from '@hono/zod-openapi'
import type { SessionAdmin } from '#server/http/context.ts'
import { rateLimit } from '#server/http/limits.ts'
import {
  created,
  createRouter,
  done,
  formBody,
  jsonBody,
  ok,
  publicRoutes,
  staffRoutes,
} from '#server/http/router.ts'
import { documented } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { NoteRefusal } from '#server/lib/audit.ts'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import {
  codeProofSchema,
  codeSchema,
  devicesSchema,
  leastPasswordLength,
  passwordChangeSchema,
  passwordProofSchema,
  recoveryCodesSchema,
  twoFactorSchema,
  twoFactorSetUpSchema,
} from '#shared/auth/account.ts'
import { apiTokenListSchema, madeApiTokenSchema, newApiTokenSchema } from '#shared/auth/api-tokens.ts'
import { type SessionUser, sessionSchema, signedInSchema, signInSchema } from '#shared/auth/session.ts'
import { classesOf } from '#shared/people/permissions.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { createAccounts } from './account-service.ts'
import { createAdministrators } from './administrators.ts'
import { createApiTokensService } from './api-token-service.ts'
import { createDevicesService, createKnownDevices } from './device-service.ts'
import { createPasswordProof, createPasswordService, createPasswords } from './password-service.ts'
import { createSecondFactorCheck, createSecondFactorService } from './second-factor-service.ts'
import { createAuthService } from './service.ts'
import { createSessionCookies } from './session-cookies.ts'

const readSession = publicRoutes('session').get('/session', 'Read the session', {
  description:
    'A known browser, and before the first sign-in every one, gets the address of the login form; others get an empty ' +
    "text. Without a session, `user` is null, which isn't an error. " +
    'From `secondFactorDue` on nothing but `/session/*` is open without two-factor sign-in; `mustSetUp` says so.',
  responses: ok(documented(sessionSchema, 'Session'), 'The signed-in person, or null.'),
})

const signIn = publicRoutes('session').post('/session', 'Sign in', {
  description:
    'Sets the session cookie (HttpOnly) and a cookie that marks the browser as known. A wrong ' +
    'address and a wrong password get the same answer. With two-factor sign-in, the right ' +
    'password without `code` gets 401 with an entry of `errors` at `code`: send the request again ' +
    'with the 6-digit code of the authenticator app, or with a recovery code. An ended account is told so after the ' +
    'right password. After several ' +
    "failures each further one causes a longer pause (Retry-After); failures of others don't " +
    'affect a known browser. A session expires after 8 hours without use (of assistants and ' +
    'registrars after one), and after 7 days at the latest; with `keepSignedIn` those of administrators and coordinators ' +
    'after 7 days without use, and after 30 days, and their cookie outlives the browser.',
  body: formBody(signInSchema, 'SignIn', 'Address, password and, if required, a code.'),
  responses: ok(documented(signedInSchema, 'SignedIn'), 'Signed in; the cookies are set.'),
  problems: ['unauthenticated', 'too_many_requests'],
})

const useDeviceLink = publicRoutes('session').post('/session/device', 'Trust this browser', {
  description:
    'With the link that `npm run admin -- allow-device` prints. It works once, within an hour. The page /trust-browser calls it.',
  body: jsonBody(
    z.object({ link: z.string('Please send the link as text.').max(64) }),
    'The end of the link.',
  ),
  responses: done('A known browser now; its cookie is set.'),
  problems: ['not_found', 'too_many_requests'],
})

const signOut = publicRoutes('session').delete('/session', 'Sign out', {
  description: 'Ends the session and clears its cookie. Also 204 without a session.',
  responses: done('Signed out.'),
})

export const signInLimit = { points: 60, duration: 60 }

type Named = Pick<
  SessionAdmin,
  'id' | 'displayName' | 'email' | 'role' | 'components' | 'mustSetUp' | 'secondFactorDue'
>

function userOf({
  id,
  displayName,
  email,
  role,
  components,
  mustSetUp,
  secondFactorDue,
}: Named): SessionUser {
  return {
    id,
    displayName,
    email,
    isAdmin: true,
    role,
    components: [...components],
    classes: [...classesOf[role]],
    ...(mustSetUp && { mustSetUp }),
    ...(secondFactorDue && { secondFactorDue: secondFactorDue.toISOString() }),
  }
}

const signedIn = staffRoutes('session', 'signed-in')

// Open to an account that has yet to set up a second factor.
const needs = 'own password'

const listDevices = signedIn.get('/session/devices', 'Signed-in devices', {
  needs,
  description:
    'The browsers signed in with this account: this one first, then the most recently used. ' +
    'The last use is updated once a minute.',
  responses: ok(documented(devicesSchema, 'Devices'), 'All of them.'),
})

const signOutDevice = signedIn.delete('/session/devices/{id}', 'Sign a device out', {
  needs,
  description: 'Ends its session. The browser is no longer a known one.',
  params: z.object({ id: z.uuid('Invalid device ID.') }),
  responses: done('Signed out.'),
  problems: ['invalid'],
})

const signOutOthers = signedIn.delete('/session/devices', 'Sign out everywhere else', {
  needs,
  responses: ok(z.object({ count: z.int() }), 'The number of ended sessions. This one continues.'),
})

const changePassword = signedIn.put('/session/password', 'Change the password', {
  needs: 'any sign-in',
  description:
    `The new password must have at least ${leastPasswordLength} characters and be hard to guess: no common ` +
    "passwords, words of this system, the account's address, sequences or repetitions. All other sessions end, " +
    'and all other known browsers are removed; this session continues with a new cookie. A wrong current ' +
    'password counts as a failed sign-in. A first password needs no `currentPassword` in the ten minutes after the ' +
    'sign-in. Two-factor sign-in needs `code` too. With `endApiTokens` the API tokens that ' +
    'this administrator created end as well.',
  body: formBody(passwordChangeSchema, 'PasswordChange', 'The old and the new password.'),
  responses: done('Changed; the new session cookie is set.'),
  problems: ['conflict', 'too_many_requests'],
})

const codeProof = {
  body: formBody(codeProofSchema, 'CodeProof', 'The password and, with two-factor sign-in, a code.'),
}

const proveAgain = signedIn.post('/session/proof', 'Enter the password again', {
  needs,
  description:
    'Routes that refuse with `proof_needed` need a password, and a code with two-factor sign-in, that is not older ' +
    'than ten minutes; a sign-in counts. A wrong one counts as a failed sign-in.',
  ...codeProof,
  responses: done('Those routes are open for ten minutes.'),
  problems: ['too_many_requests'],
})

const passwordBody = { body: formBody(passwordProofSchema, 'PasswordProof', 'The current password.') }
const recoveryCodes = ok(
  documented(recoveryCodesSchema, 'RecoveryCodes'),
  'Ten recovery codes. Each works once; they are shown only now.',
)

const readTwoFactor = signedIn.get('/session/two-factor', 'Read the state of two-factor sign-in', {
  needs,
  responses: ok(documented(twoFactorSchema, 'TwoFactor'), 'Its state.'),
})

const beginTwoFactor = signedIn.post('/session/two-factor/set-up', 'Start setting up two-factor sign-in', {
  needs,
  description:
    'Creates a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). ' +
    "Sign-ins don't need a code until one is confirmed. Starting again replaces the secret.",
  ...passwordBody,
  responses: ok(documented(twoFactorSetUpSchema, 'TwoFactorSetUp'), 'The secret for the authenticator app.'),
  problems: ['conflict', 'too_many_requests'],
})

const confirmTwoFactor = signedIn.post('/session/two-factor', 'Turn two-factor sign-in on', {
  needs,
  body: formBody(codeSchema, 'TwoFactorCode', "The app's current code."),
  responses: recoveryCodes,
  problems: ['conflict', 'too_many_requests'],
})

// Not DELETE: some proxies drop the body of one, and the password is in it.
const turnOffTwoFactor = signedIn.post('/session/two-factor/off', 'Turn two-factor sign-in off', {
  needs,
  description: 'Refused where the office requires it.',
  ...codeProof,
  responses: done('Off. The recovery codes are deleted.'),
  problems: ['conflict', 'too_many_requests'],
})

const renewRecoveryCodes = signedIn.post('/session/two-factor/recovery-codes', 'Create new recovery codes', {
  needs,
  description: 'The old ones stop working.',
  ...codeProof,
  responses: recoveryCodes,
  problems: ['conflict', 'too_many_requests'],
})

const listTokens = staffRoutes('mail', 'mail.account').get('/tokens', 'List API tokens', {
  description: 'Newest first. The last use is updated once a minute.',
  responses: ok(documented(apiTokenListSchema, 'ApiTokens'), 'All of them.'),
})

const makeToken = staffRoutes('mail', 'mail.account').post('/tokens', 'Create an API token', {
  needs: 'fresh sign-in',
  description:
    'For a program that sends mail. It gives access to the e-mail calls only. Send it as ' +
    '`Authorization: Bearer nstp_…`. It ends after `days`, and can be limited to the domain of the recipients and to a ' +
    'number of messages a day.',
  body: formBody(newApiTokenSchema, 'NewApiToken', 'Its user and its limits.'),
  responses: created(
    documented(madeApiTokenSchema, 'MadeApiToken'),
    'With the token, which is shown only now.',
  ),
  problems: ['conflict'],
})

const revokeToken = staffRoutes('mail', 'mail.account').delete('/tokens/{id}', 'Revoke an API token', {
  needs: 'fresh sign-in',
  params: z.object({ id: z.uuid('Invalid token ID.') }),
  responses: done('Revoked.'),
  problems: ['invalid'],
})

interface AuthFeatureOptions {
  settings: () => Settings
  noteRefusal: NoteRefusal
}

export function createAuth(context: AppContext, { settings, noteRefusal }: AuthFeatureOptions) {
  const { log, secretKey } = context
  const knownDevices = createKnownDevices(context)
  const passwords = createPasswords(context.passwordCost)
  const secrets = createSealedSecrets({ secretKey, purpose: 'two-factor sign-in' })
  const secondFactorCheck = createSecondFactorCheck({ secrets, log })
  const proof = createPasswordProof({
    ...context,
    passwords,
    noteRefusal,
    checkCode: secondFactorCheck.check,
  })
  const cookies = createSessionCookies(context)
  const auth = createAuthService({ ...context, passwords, noteRefusal, secondFactor: secondFactorCheck })
  const password = createPasswordService({
    ...context,
    passwords,
    proof,
    ownWords: () => [settings().systemName, settings().schoolName],
  })
  const systemName = () => settings().systemName
  const secondFactor = createSecondFactorService({ ...context, proof, secrets, systemName })
  const devices = createDevicesService(context)
  const apiTokens = createApiTokensService(context)
  const signIns = rateLimit(signInLimit)

  const routes = createRouter()
    .answer(readSession, async ({ c }) => {
      const [admin, adminEmail] = await Promise.all([c.var.readAdmin(), auth.knownEmail(cookies.callerOf(c))])
      c.header('Cache-Control', 'no-store')
      return c.json({ user: admin && userOf(admin), adminEmail }, 200)
    })
    .answer(signIn, async ({ c, body }) => {
      await signIns.take(c)
      const signedIn = await auth.signIn(body, cookies.callerOf(c))
      await knownDevices.load()
      cookies.setSession(c, signedIn.sessionToken, signedIn.isKept)
      cookies.setDevice(c, signedIn.deviceToken)
      c.header('Cache-Control', 'no-store')
      return c.json({ user: userOf(signedIn.admin) }, 200)
    })
    .answer(useDeviceLink, async ({ c, body }) => {
      await signIns.take(c)
      cookies.setDevice(c, await auth.useDeviceLink(body.link, cookies.callerOf(c)))
    })
    .answer(signOut, async ({ c }) => {
      await auth.signOut(cookies.callerOf(c))
      // What the browser still has of the administrator's screens.
      c.header('Clear-Site-Data', '"cache"')
      cookies.clearSession(c)
      return c.body(null, 204)
    })
    .answer(listDevices, async ({ c, admin }) => ({ items: await devices.list(admin, cookies.callerOf(c)) }))
    .answer(signOutDevice, ({ c, id, admin }) => devices.signOut(id, admin, cookies.callerOf(c)))
    .answer(signOutOthers, async ({ c, admin }) => ({
      count: await devices.signOutOthers(admin, cookies.callerOf(c)),
    }))
    .answer(changePassword, async ({ c, body, admin }) => {
      const changed = await password.change(body, admin, cookies.callerOf(c))
      cookies.setSession(c, changed.sessionToken, changed.isKept)
    })
    .answer(proveAgain, ({ c, body, admin }) => proof.renew(body, admin, cookies.callerOf(c)))
    .answer(readTwoFactor, ({ admin }) => secondFactor.state(admin))
    .answer(beginTwoFactor, ({ c, body, admin }) =>
      secondFactor.begin(body.password, admin, cookies.callerOf(c)),
    )
    .answer(confirmTwoFactor, async ({ body, actor, admin }) => ({
      recoveryCodes: await secondFactor.confirm(body.code, admin, actor),
    }))
    .answer(turnOffTwoFactor, ({ c, body, admin }) => secondFactor.turnOff(body, admin, cookies.callerOf(c)))
    .answer(renewRecoveryCodes, async ({ c, body, admin }) => ({
      recoveryCodes: await secondFactor.renewRecoveryCodes(body, admin, cookies.callerOf(c)),
    }))
    .answer(listTokens, async () => ({ items: await apiTokens.list() }))
    .answer(makeToken, ({ body, actor, admin }) => apiTokens.make(body, admin, actor))
    .answer(revokeToken, ({ id, actor }) => apiTokens.revoke(id, actor))

  return {
    routes,
    readAdmin: auth.readAdmin,
    accessOfStored: auth.accessOfStored,
    findToken: apiTokens.find,
    readToken: cookies.readSession,
    findSession: (token: string) => auth.readAdmin(token, false),
    deleteExpired: auth.deleteExpired,
    administrators: createAdministrators({ ...context, passwords }),
    accounts: createAccounts({ ...context, passwords }),

    load: knownDevices.load,

    /** Returns the token of a known device; undefined for an unknown one. */
    knownTokenOf(header: string | undefined): string | undefined {
      const token = cookies.readDevice(header)
      return knownDevices.has(token) ? token : undefined
    },
  }
}
