import { runAdminCommand } from './admin-command.ts'

process.exitCode = await runAdminCommand({
  args: process.argv.slice(2),
  env: process.env,
  print: console.log,
  printError: console.error,
})
