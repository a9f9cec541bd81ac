import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { generatePassword } from '#shared/auth/generated-password.ts'
import { createPasswords } from './password-service.ts'

const passwords = createPasswords()
const ordinary = { isUrgent: false }

describe('hashing', () => {
  test('is Argon2id with at least the parameters that OWASP names', async () => {
    const [, algorithm, , parameters] = (await passwords.hash('a long enough pass phrase')).split('$')
    expect(algorithm).toBe('argon2id')
    expect(parameters).toBe('m=19456,t=3,p=1')
  })

  test('accepts the right password and no other', async () => {
    const hashed = await passwords.hash('a long enough pass phrase')
    expect(await passwords.verify(hashed, 'a long enough pass phrase', ordinary)).toBe(true)
    expect(await passwords.verify(hashed, 'A long enough pass phrase', ordinary)).toBe(false)
  })

  test('accepts ñ in either of its Unicode forms', async () => {
    const hashed = await passwords.hash('señorita de Peñafrancia'.normalize('NFC'))
    expect(await passwords.verify(hashed, 'señorita de Peñafrancia'.normalize('NFD'), ordinary)).toBe(true)
  })

  test('recognizes hashes of former parameters', async () => {
    expect(passwords.isOutdated(await passwords.hash('x'))).toBe(false)
    expect(passwords.isOutdated(await hash('x', { memoryCost: 19_456, timeCost: 2 }))).toBe(true)
  })
})

test('no password matches the decoy, which is verified like any hash', async () => {
  expect(passwords.isOutdated(passwords.decoyHash)).toBe(false)
  expect(await passwords.verify(passwords.decoyHash, '', ordinary)).toBe(false)
})

test('generated passwords are long, different, and free of similar characters', () => {
  const generated = Array.from({ length: 1000 }, generatePassword)
  expect(new Set(generated).size).toBe(1000)
  for (const password of generated) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/)
  // Each of the 31 at each of the 16 places, and no part that tells another.
  const letters = generated.map((password) => password.replaceAll('-', ''))
  for (let place = 0; place < 16; place++) {
    expect(new Set(letters.map((text) => text[place])).size).toBe(31)
    const pairs = new Set(letters.map((text) => `${text[place]}${text[(place + 1) % 16]}`))
    expect(pairs.size).toBeGreaterThan(500)
  }
  const groups = generated.flatMap((password) => password.split('-'))
  expect(new Set(groups).size).toBeGreaterThan(3_900)
})
