import { v7 as createId, v5 as idFrom } from 'uuid'
import { sha256 } from './digest.ts'
import { AppError } from './errors.ts'

// RFC 9562, version 5.
const namespace = '6f2a4f0e-6d5e-4c0b-9d53-0d6b8f6f3a51'

/** A request with an Idempotency-Key: the same key and content again gets the first result. */
export interface Submission {
  submissionKey: string
  submissionHash: string
}

/**
 * @param sender keys are scoped to it: two programs may use the same key. Undefined where the key alone is the secret
 */
export function submissionOf(
  key: string | null | undefined,
  content: unknown,
  sender?: string,
): Submission | null {
  if (key == null) return null
  return {
    submissionKey: sender === undefined ? key : sha256(`${sender}\n${key}`).toString('base64url'),
    // Validated members are in the schema's order, so equal content has equal JSON.
    submissionHash: sha256(JSON.stringify(content)).toString('base64url'),
  }
}

/** The id of the row that a key creates; without a key, of a new one. */
export function idOfKey(sender: string, kind: string, key: string | undefined): string {
  return key === undefined ? createId() : idFrom(`${sender}\n${kind}\n${key}`, namespace)
}

/** @throws AppError `conflict` when the key was used for other content */
export function mustBeSame(isSame: boolean, sentence: string): void {
  if (!isSame) throw new AppError('conflict', sentence)
}
