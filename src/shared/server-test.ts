/** The tool that talks to the configured mail server, and shows what was said. */

export const serverTestSteps = ['connect', 'authenticate', 'send'] as const
export type ServerTestStep = (typeof serverTestSteps)[number]

/** One line of a conversation; `note` is what happened between the lines. */
export interface ConversationLine {
  by: 'client' | 'server' | 'note'
  text: string
}

/** What a step came to. */
export interface ServerTestResult {
  step: ServerTestStep
  ok: boolean
  /** What happened, as a sentence. */
  verdict: string
  /** Without the password, and without anything that it could be read from. */
  lines: ConversationLine[]
  tookMs: number
}

/** What stands in the place of a secret. */
export const notShown = '(not shown)'
