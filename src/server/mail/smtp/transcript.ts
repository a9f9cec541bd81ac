import type { ExternalLogger } from 'nodemailer/lib/shared'
import { type ConversationLine, notShown } from '#shared/server-test.ts'

/** A server may say what it likes: longer lines are cut, and what comes after so many is left out. */
const maxLineLength = 300
const maxLines = 200

export type Transcript = ReturnType<typeof createTranscript>

/**
 * Writes down what is said to a mail server and what it answers. The sign-in is left out: its commands hold the
 * password, and so would the words of a server that repeats them.
 *
 * @param secrets what is taken out of every line, as it is and as the mechanisms of SMTP write it
 */
export function createTranscript(secrets: readonly string[]) {
  const lines: ConversationLine[] = []
  const hidden = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, base64(secret)])
  let isSigningIn = false

  function add(by: ConversationLine['by'], text: string): void {
    if (lines.length >= maxLines) return
    const line = clean(text)
    lines.push({ by, text: line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line })
  }

  /** A text without the secrets. */
  function clean(text: string): string {
    return hidden.reduce((rest, secret) => rest.replaceAll(secret, notShown), text)
  }

  function hearClient(text: string): void {
    const mechanism = /^AUTH \S+/i.exec(text)?.[0]
    if (mechanism) {
      isSigningIn = true
      add('client', text === mechanism ? text : `${mechanism} ${notShown}`)
    } else {
      add('client', isSigningIn ? notShown : text)
    }
  }

  function hearServer(text: string): void {
    // 334 asks for the next word of the sign-in; every other answer ends it.
    const isAsking = /^334[ -]/.test(text)
    if (isSigningIn && isAsking) {
      add('server', `334 ${notShown}`)
      return
    }
    isSigningIn = false
    for (const line of text.split('\n')) add('server', line)
  }

  /** What nodemailer tells while it talks. It gives this one function all levels; the rest comes back as errors. */
  const logger: ExternalLogger = {
    debug(entry: { tnx?: string }, text: unknown) {
      if (typeof text !== 'string') return
      if (entry.tnx === 'client') hearClient(text)
      if (entry.tnx === 'server') hearServer(text)
    },
  }

  return { lines, logger, clean, note: (text: string) => add('note', text) }
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}
