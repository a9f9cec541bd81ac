import { afterAll, beforeAll, expect, test } from 'vitest'
import { enlistmentAnswers } from '#tests/setup/enlistment-answers.ts'
import { startFlooded } from '#tests/setup/flooded-product.ts'
import { openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { answerOf, shownText, tickedOf } from '#tests/setup/plain-page.ts'
import type { Product } from '#tests/setup/product.ts'

let product: Product

beforeAll(async () => {
  product = await startFlooded()
})
afterAll(() => product.remove())

test('while many enlist, the form asks to wait, and keeps what was typed', async () => {
  const { open, press } = openPlainBrowser(product.url)
  const asked = await press(await open('/register'), 'Submit registration', enlistmentAnswers())
  expect(shownText(asked)).toContain('Please wait 30 seconds, then submit again.')
  expect(answerOf(asked, 'lastName')).toBe('Dela Cruz')
  expect(tickedOf(asked, 'nstpComponent')).toEqual(['CWTS'])
  expect(tickedOf(asked, 'consent')).toHaveLength(1)
  const challenge = answerOf(asked, 'challenge') ?? ''
  const key = answerOf(asked, 'idempotencyKey') ?? ''
  expect(key).toMatch(/^[0-9a-f-]{36}$/)
  expect(challenge).toContain(key)

  // Pressed too early it is the same one, whose time goes on.
  const early = await press(asked, 'Try again')
  expect(shownText(early)).toContain('Please wait 30 seconds, then submit again.')
  expect(answerOf(early, 'challenge')).toBe(challenge)
  expect(answerOf(early, 'lastName')).toBe('Dela Cruz')
})
