import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { type AuthOnDatabase, prepareAuth } from '#tests/setup/auth.ts'
import { createAccountRepository } from './account-repository.ts'

const strong = /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/

let setup: AuthOnDatabase
prepareAuth((fresh) => {
  setup = fresh
})

describe('the first administrator', () => {
  beforeEach(async () => {
    await setup.db.deleteFrom('admins').execute()
  })

  test('gets a generated password that is returned once', async () => {
    const created = await setup.administrators.ensureFirstAdministrator({ email: adminEmail })
    expect(created).toEqual({ email: adminEmail, password: expect.stringMatching(strong) })
    await setup.signIn({}, { email: adminEmail, password: created?.password ?? '' })
    expect(await setup.administrators.ensureFirstAdministrator({ email: 'other@school.example' })).toEqual({
      email: adminEmail,
      password: null,
    })
  })

  test("has the configured password, which isn't returned", async () => {
    const options = { email: adminEmail, password: adminPassword }
    expect(await setup.administrators.ensureFirstAdministrator(options)).toEqual({
      email: adminEmail,
      password: null,
    })
    const { admin } = await setup.signIn()
    expect(admin.displayName).toBe('Administrator')
  })

  test('is one of concurrent processes', async () => {
    const starts = Array.from({ length: 8 }, () =>
      setup.administrators.ensureFirstAdministrator({ email: adminEmail }),
    )
    const created = (await Promise.all(starts)).filter(({ password }) => password !== null)
    expect(created).toHaveLength(1)
    expect(await setup.db.selectFrom('admins').selectAll().execute()).toHaveLength(1)
    await setup.signIn({}, { email: adminEmail, password: created[0]?.password ?? '' })
  })

  test('is unchanged when the environment changes later', async () => {
    await setup.administrators.ensureFirstAdministrator({ email: adminEmail, password: adminPassword })
    const changed = { email: 'other@school.example', password: 'another long pass phrase' }
    expect(await setup.administrators.ensureFirstAdministrator(changed)).toEqual({
      email: adminEmail,
      password: null,
    })
    await setup.signIn()
  })
})

describe('resetting the password', () => {
  test('replaces it and ends all sessions', async () => {
    const { sessionToken } = await setup.signIn()
    setup.published.length = 0
    const created = await setup.administrators.resetPassword()
    expect(created).toEqual({
      email: adminEmail,
      password: expect.stringMatching(strong),
      hasSecondFactor: false,
      apiTokens: [],
    })
    expect(await setup.auth.readAdmin(sessionToken)).toBeNull()
    expect(setup.published).toEqual(['session', 'mail-account'])
    await expect(setup.signIn()).rejects.toMatchObject({ code: 'unauthenticated' })
    await setup.signIn({}, created)
  })

  test('ends the API tokens of the administrator, and names them', async () => {
    const { id: own } = await setup.db.selectFrom('admins').select('id').executeTakeFirstOrThrow()
    const another = { id: createId(), email: 'second@school.example', displayName: '', passwordHash: '' }
    await createAccountRepository(setup.db).insertAdmin({
      ...another,
      role: 'coordinator',
      now: setup.now(),
    })
    const token = (name: string, createdById: string) => ({
      ...{ id: createId(), name, createdById, prefix: 'nstp_aaaaaa' },
      tokenHash: Buffer.from(name),
      createdAt: setup.now(),
      expiresAt: new Date(setup.now().getTime() + 86_400_000),
    })
    const tokens = [token('Registrar', own), token('Of another', another.id)]
    await setup.db.insertInto('apiTokens').values(tokens).execute()
    expect((await setup.administrators.resetPassword()).apiTokens).toEqual(['Registrar'])
    const left = setup.db.selectFrom('apiTokens').select('name').where('revokedAt', 'is', null)
    expect(await left.execute()).toEqual([{ name: 'Of another' }])
    await setup.db.deleteFrom('apiTokens').execute()
  })

  test('lifts every pause', async () => {
    for (let i = 0; i < 5; i++) await setup.fail()
    const created = await setup.administrators.resetPassword()
    await setup.signIn({}, created)
  })

  test('leaves known devices: they can sign in while others guess', async () => {
    const { deviceToken } = await setup.signIn()
    const created = await setup.administrators.resetPassword()
    for (let i = 0; i < 5; i++) await setup.fail()
    await setup.signIn({ deviceToken }, created)
  })

  test('accepts the address of the administrator in any case', async () => {
    const created = await setup.administrators.resetPassword({ email: adminEmail.toUpperCase() })
    expect(created.email).toBe(adminEmail)
  })

  test('of an unknown address is reported', async () => {
    await expect(
      setup.administrators.resetPassword({ email: 'nobody@school.example' }),
    ).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no account with the address nobody@school.example.',
    })
  })

  test('requires an address when there are several', async () => {
    await setup.db
      .insertInto('admins')
      .values({
        id: '01990000-0000-7000-8000-000000000000',
        email: 'second@school.example',
        displayName: 'Second',
        passwordHash: await setup.passwords.hash(adminPassword),
      })
      .execute()
    await expect(setup.administrators.resetPassword()).rejects.toMatchObject({
      code: 'invalid',
      message: 'There is more than one administrator. Choose one with --email.',
    })
    expect((await setup.administrators.resetPassword({ email: 'second@school.example' })).email).toBe(
      'second@school.example',
    )
  })

  test('before the first start is reported', async () => {
    await setup.db.deleteFrom('admins').execute()
    await expect(setup.administrators.resetPassword()).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no administrator yet. Start the product once to create one.',
    })
  })
})
