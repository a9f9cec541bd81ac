import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { ConfigurationError, readEnv, refusePlainHttp } from './env.ts'

const defaults = {
  PORT: 3000,
  HOST: '127.0.0.1',
  DATA_DIR: './data',
  ADMIN_EMAIL: 'admin@nstp.local',
  API_DOCS: 'private',
  ALLOW_HTTP: 'off',
  TRUST_PROXY: 'off',
  RATE_LIMITS: 'on',
  LOG_LEVEL: 'info',
  SMTP_HOST: 'smtp.gmail.com',
  SMTP_PORT: 465,
  SMTP_SECURE: 'on',
  FILES_LIMIT_MB: 2048,
  DATABASE_PATIENCE: 1,
  TZ_PROGRAM: 'Asia/Manila',
}

describe('the configuration', () => {
  test('may be absent', () => {
    expect(readEnv({})).toEqual(defaults)
  })

  test('treats an empty variable as unset', () => {
    const names = ['PUBLIC_URL', 'DATABASE_URL', 'ADMIN_PASSWORD', 'SECRET_KEY', ...Object.keys(defaults)]
    expect(readEnv(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(defaults)
  })

  test('has the values that were set', () => {
    const set = {
      PORT: '8080',
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://nstp.school.edu.ph/',
      DATA_DIR: '/var/lib/nstp-portal',
      DATABASE_URL: 'postgresql://nstp@db/nstp',
      ADMIN_EMAIL: 'coordinator@school.edu.ph',
      ADMIN_PASSWORD: 'fifteen letters',
      SECRET_KEY: 'k'.repeat(32),
      API_DOCS: 'public',
      ALLOW_HTTP: 'on',
      TRUST_PROXY: 'on',
      SCHOOL_NETWORKS: '203.0.113.0/24, 2001:db8::/48 198.51.100.7',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      SMTP_HOST: 'mail.school.edu.ph',
      SMTP_PORT: '587',
      SMTP_SECURE: 'off',
      FILES_LIMIT_MB: '512',
      DATABASE_PATIENCE: '2.5',
      TZ_PROGRAM: 'UTC',
    }
    expect(readEnv(set)).toEqual({
      ...set,
      PORT: 8080,
      SMTP_PORT: 587,
      FILES_LIMIT_MB: 512,
      DATABASE_PATIENCE: 2.5,
    })
  })

  test.each([
    ['PORT', 'eighty', 'PORT must be a whole number.'],
    ['DATABASE_PATIENCE', '5', 'DATABASE_PATIENCE must be between 1 and 4.'],
    ['PORT', '80.5', 'PORT must be a whole number.'],
    ['PORT', '-1', 'PORT must be between 0 and 65535.'],
    ['PORT', '65536', 'PORT must be between 0 and 65535.'],
    [
      'PUBLIC_URL',
      'nstp.school.edu.ph',
      'PUBLIC_URL must be an address such as https://nstp.school.edu.ph, without a path.',
    ],
    [
      'PUBLIC_URL',
      'https://school.edu.ph/nstp',
      'PUBLIC_URL must be an address such as https://nstp.school.edu.ph, without a path.',
    ],
    [
      'PUBLIC_URL',
      'https://school.edu.ph:99999',
      'PUBLIC_URL must be an address such as https://nstp.school.edu.ph, without a path.',
    ],
    [
      'DATABASE_URL',
      'postgres://nstp:pass#word@db/nstp',
      'DATABASE_URL must be an address such as postgres://nstp:password@127.0.0.1/nstp, with %23 for #, %2F for / and %3F for ? in the password.',
    ],
    ['DATABASE_URL', 'mysql://db/nstp', 'DATABASE_URL must begin with postgres:// or postgresql://.'],
    ['ADMIN_EMAIL', 'coordinator', 'ADMIN_EMAIL must be an e-mail address.'],
    ['ADMIN_PASSWORD', 'fourteen chars', 'ADMIN_PASSWORD must have at least 15 characters.'],
    ['SECRET_KEY', 'k'.repeat(31), 'SECRET_KEY must have at least 32 characters.'],
    ['TRUST_PROXY', 'true', "TRUST_PROXY must be 'on' or 'off'."],
    ['RATE_LIMITS', '0', "RATE_LIMITS must be 'on' or 'off'."],
    ['LOG_LEVEL', 'verbose', 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.'],
    [
      'SCHOOL_NETWORKS',
      '203.0.113.0/33',
      'SCHOOL_NETWORKS must list networks such as 203.0.113.0/24 2001:db8::/48.',
    ],
    ['SCHOOL_NETWORKS', 'campus', 'SCHOOL_NETWORKS must list networks such as 203.0.113.0/24 2001:db8::/48.'],
    ['SMTP_HOST', 'https://mail.school', 'SMTP_HOST must be the name of a mail server.'],
    ['SMTP_PORT', '0', 'SMTP_PORT must be between 1 and 65535.'],
    ['SMTP_SECURE', 'tls', "SMTP_SECURE must be 'on' or 'off'."],
    ['TZ_PROGRAM', 'Manila', 'TZ_PROGRAM must be a time zone such as Asia/Manila.'],
  ])('with %s=%s is refused with a message that contains no value', (name, value, sentence) => {
    const read = () => readEnv({ [name]: value })
    expect(read).toThrow(new ConfigurationError(sentence))
  })

  test('names every fault at once', () => {
    expect(() => readEnv({ PORT: 'x', TRUST_PROXY: 'yes' })).toThrow(
      new ConfigurationError("PORT must be a whole number. TRUST_PROXY must be 'on' or 'off'."),
    )
  })

  test.each(['UTC', 'Asia/Calcutta', 'Asia/Kolkata'])(
    'knows the zone %s, by its old and its new name',
    (zone) => {
      expect(readEnv({ TZ_PROGRAM: zone }).TZ_PROGRAM).toBe(zone)
    },
  )
})

describe('a value in a file', () => {
  test('is read without its final line end, and precedes the variable itself', () => {
    const folder = makeTemporaryFolder()
    const file = join(folder.path, 'password')
    writeFileSync(file, 'from the secret file\n')
    const { ADMIN_PASSWORD } = readEnv({ ADMIN_PASSWORD_FILE: file, ADMIN_PASSWORD: 'from the environment' })
    folder.remove()
    expect(ADMIN_PASSWORD).toBe('from the secret file')
  })

  test('is validated by the same rules', () => {
    const folder = makeTemporaryFolder()
    const file = join(folder.path, 'key')
    writeFileSync(file, 'short')
    try {
      expect(() => readEnv({ SECRET_KEY_FILE: file })).toThrow('SECRET_KEY must have at least 32 characters.')
    } finally {
      folder.remove()
    }
  })

  test.each([
    ['/nowhere/key', 'There is no such file or folder.'],
    ['/dev/null/key', 'There is no such file or folder.'],
    // As a container makes of a file that isn't there.
    ['/tmp', 'It is a folder.'],
  ])('that can not be read is reported with the reason: %s', (file, reason) => {
    for (const name of ['SECRET_KEY', 'ADMIN_PASSWORD', 'DATABASE_URL', 'PORT']) {
      expect(() => readEnv({ [`${name}_FILE`]: file })).toThrow(
        new ConfigurationError(`${name}_FILE names ${file}, which can't be read. ${reason}`),
      )
    }
  })

  test('is ignored when the name is empty', () => {
    expect(readEnv({ LOG_LEVEL_FILE: '', LOG_LEVEL: 'warn' }).LOG_LEVEL).toBe('warn')
  })
})

describe('an address that other machines reach', () => {
  const start = (env: Record<string, string>) => () => refusePlainHttp(readEnv(env))

  test.each([
    {},
    { HOST: '::1' },
    { HOST: 'localhost', PUBLIC_URL: 'http://127.0.0.1:3000' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'https://nstp.school.edu.ph' },
    { HOST: '0.0.0.0', ALLOW_HTTP: 'on' },
    { PUBLIC_URL: 'http://nstp.school.edu.ph', ALLOW_HTTP: 'on' },
  ])('starts with %j', (env) => {
    expect(start(env)).not.toThrow()
  })

  test.each([
    [{ HOST: '0.0.0.0' }, 'HOST is 0.0.0.0 and there is no PUBLIC_URL'],
    [{ HOST: '::' }, 'HOST is :: and there is no PUBLIC_URL'],
    [{ HOST: '127.0.0.1.school.example' }, 'HOST is 127.0.0.1.school.example'],
    [{ PUBLIC_URL: 'http://nstp.school.edu.ph' }, 'PUBLIC_URL names http://nstp.school.edu.ph'],
  ])('is refused with %j, and the sentence says what to do', (env, reason) => {
    expect(start(env)).toThrow(reason)
    expect(start(env)).toThrow('ALLOW_HTTP=on')
  })
})
