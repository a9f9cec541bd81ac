import { expect, test } from 'vitest'
import { readArguments } from './arguments.ts'
import { ConfigurationError } from './env.ts'

test('--demo adds demo content, which is absent without it', () => {
  expect(readArguments(['--demo'])).toEqual({ demo: true })
  expect(readArguments([])).toEqual({ demo: false })
})

test('an unknown argument stops the start with a message that lists the arguments', () => {
  expect(() => readArguments(['--dmeo'])).toThrow(ConfigurationError)
  expect(() => readArguments(['demo'])).toThrow(/The only option is --demo/)
})
