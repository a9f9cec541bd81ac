import { runBackupCommand } from './backup-command.ts'
import { abortOnSignals } from './command.ts'
import { createTerminal } from './terminal.ts'

process.exitCode = await runBackupCommand({
  args: process.argv.slice(2),
  env: process.env,
  print: console.log,
  printError: console.error,
  terminal: createTerminal(),
  signal: abortOnSignals(),
})
