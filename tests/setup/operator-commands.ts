import { runAdminCommand } from '#server/cli/admin-command.ts'
import { runBackupCommand } from '#server/cli/backup-command.ts'
import type { CommandOptions } from '#server/cli/command.ts'
import { runRestoreCommand } from '#server/cli/restore-command.ts'
import type { Terminal } from '#server/cli/terminal.ts'

interface CommandSetting {
  env?: Record<string, string>
  // In the order of the questions; without answers the terminal isn't interactive.
  answers?: string[]
  signal?: AbortSignal
}

interface CommandResult {
  code: number
  output: string
  errors: string
  questions: string[]
}

async function run(
  command: (options: CommandOptions & { terminal: Terminal; signal: AbortSignal }) => Promise<number>,
  args: string[],
  { env = {}, answers, signal = new AbortController().signal }: CommandSetting,
): Promise<CommandResult> {
  const output: string[] = []
  const errors: string[] = []
  const questions: string[] = []
  const left = [...(answers ?? [])]
  const answer = async (question: string) => {
    questions.push(question)
    return left.shift() ?? ''
  }
  const code = await command({
    args,
    env,
    print: (text) => output.push(text),
    printError: (text) => errors.push(text),
    terminal: { isInteractive: answers !== undefined, ask: answer, askHidden: answer },
    signal,
  })
  return { code, output: output.join('\n'), errors: errors.join('\n'), questions }
}

/** The environment is the product's. */
export function runAdmin(args: string[], setting: CommandSetting = {}): Promise<CommandResult> {
  return run(runAdminCommand, args, setting)
}

export function runBackup(args: string[], setting: CommandSetting = {}): Promise<CommandResult> {
  return run(runBackupCommand, args, setting)
}

export function runRestore(args: string[], setting: CommandSetting = {}): Promise<CommandResult> {
  return run(runRestoreCommand, args, setting)
}
