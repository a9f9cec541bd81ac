// Loaded before the built product. Its database gets no variable of the product's environment, so also not those of a clock
// that a test moves.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const { spawn } = childProcess
// Not FAKETIME_SHARED: it names memory of the product's own user.
const names = [
  ...['LD_PRELOAD', 'NO_FAKE_STAT', 'FAKETIME_TIMESTAMP_FILE'],
  ...['FAKETIME_NO_CACHE', 'FAKETIME_DONT_FAKE_MONOTONIC'],
]
const ofClock = Object.fromEntries(names.map((name) => [name, process.env[name]]))

/** @type {typeof spawn} */
childProcess.spawn = (program, args, options) =>
  spawn(program, args, options?.env ? { ...options, env: { ...options.env, ...ofClock } } : options)
syncBuiltinESMExports()
