import { createHash } from 'node:crypto'
import type { Actor } from '#server/actor.ts'
import { AppError } from '#server/errors.ts'
import { mailDecisionSentences } from '#shared/mail-history.ts'
import type { StoredBatch } from './batch-repository.ts'

/** Who starts a bulk e-mail, and by which sending of the form. */
export interface Sending {
  actor: Actor
  /** Tells one sending of the form from the next; null where there is no telling. */
  key: string | null
}

/** A sending as it is kept with its bulk e-mail. */
export interface Submission {
  submissionKey: string
  submissionHash: string
}

/**
 * What is kept of a sending; null where there is no telling it from the next. Keys are their sender's own: what one program sends
 * says nothing about what another one asked for with the same key.
 *
 * @param content all that makes the mail what it is: the same key with another one is a slip
 */
export function submissionOf({ actor, key }: Sending, content: unknown): Submission | null {
  if (key === null) return null
  return {
    submissionKey: digest(`${actor.name}\n${key}`),
    submissionHash: digest(JSON.stringify(content)),
  }
}

/** @throws AppError `conflict` when the key was another bulk e-mail's */
export function mustBeSame(earlier: StoredBatch, { submissionHash }: Submission): void {
  if (earlier.submissionHash !== submissionHash) {
    throw new AppError('conflict', { detail: mailDecisionSentences.otherBatch })
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
