import { z } from 'zod'
import { deriveKey } from './digest.ts'
import { sealedSecretKey } from './sealed-secret.ts'

/**
 * Keys that must outlive a SECRET_KEY: without them nobody could tell, after a restore, who had unsubscribed and who was
 * erased, and the links of sent e-mails would no longer unsubscribe. A sealed backup has them. They open no password and no
 * second factor.
 */
export interface KeptKeys {
  optOuts: Buffer
  erasures: Buffer
  unsubscribeLinks: Buffer
}

export function keptKeysOf(secretKey: Buffer): KeptKeys {
  return {
    optOuts: deriveKey(secretKey, 'opt-outs'),
    erasures: deriveKey(secretKey, 'erasures'),
    unsubscribeLinks: sealedSecretKey(secretKey, 'unsubscribe link'),
  }
}

const keyLength = 32
const key = z
  .base64()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine(({ length }) => length === keyLength)

export const keptKeysSchema = z.strictObject({ optOuts: key, erasures: key, unsubscribeLinks: key })

/** The keys as text: in a sealed backup, or before they are sealed for the database. */
export type WrittenKeys = z.input<typeof keptKeysSchema>

export function writtenKeys({ optOuts, erasures, unsubscribeLinks }: KeptKeys): WrittenKeys {
  const [first, second, third] = [optOuts, erasures, unsubscribeLinks].map((one) => one.toString('base64'))
  return { optOuts: first ?? '', erasures: second ?? '', unsubscribeLinks: third ?? '' }
}
