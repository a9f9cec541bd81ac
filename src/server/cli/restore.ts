import { abortOnSignals } from './command.ts'
import { runRestoreCommand } from './restore-command.ts'
import { createTerminal } from './terminal.ts'

process.exitCode = await runRestoreCommand({
  args: process.argv.slice(2),
  env: process.env,
  print: console.log,
  printError: console.error,
  terminal: createTerminal(),
  signal: abortOnSignals(),
})
