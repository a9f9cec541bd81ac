import { expect, test } from 'vitest'
import { readArguments } from './arguments.ts'
import { ConfigurationError } from './env.ts'

test('--demo asks for demo content, and without it there is none', () => {
  expect(readArguments(['--demo'])).toEqual({ demo: true })
  expect(readArguments([])).toEqual({ demo: false })
})

test('an unknown word stops the start with a sentence that says what there is', () => {
  expect(() => readArguments(['--dmeo'])).toThrow(ConfigurationError)
  expect(() => readArguments(['demo'])).toThrow(/The only option is --demo/)
})
