import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leastAnswers } from '#tests/setup/enlistment-answers.ts'
import { openPlainBrowser, type PlainPage } from '#tests/setup/plain-browser.ts'
import { answerOf, shownText, textOf, tickedOf } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

/** Two days after a birthday, so that the age is the same in each time zone; on a day that each month has. */
function bornYearsAgo(years: number) {
  const day = new Date(Date.now() - 48 * 60 * 60 * 1000)
  return {
    birthYear: String(day.getFullYear() - years),
    birthMonth: String(day.getMonth() + 1),
    birthDay: String(Math.min(28, day.getDate())),
  }
}

const languages = [
  {
    locale: 'en-PH',
    why: 'You are under 18, so a parent or guardian must agree to your enlistment',
    without: 'Under 18? Then section 4 (Parent / guardian) and the last tick are required too.',
    missing: 'You are under 18: please fill in how your parent or guardian is related to you.',
    mustAgree: 'You are under 18: your parent or guardian must tick this box too.',
    agrees: 'I am Ana Macaraeg, the parent or guardian of this student, and I agree too.',
    submit: 'Submit registration',
    done: /^Registration successful!/,
  },
  {
    locale: 'fil-PH',
    why: 'kailangang sumang-ayon sa iyong enlistment ang isang magulang o tagapag-alaga',
    without: 'Wala ka pang 18 taong gulang? Kailangan din ang bahagi 4',
    missing: 'Wala ka pang 18 taong gulang: pakisulat kung kaano-ano mo ang iyong magulang o tagapag-alaga.',
    mustAgree:
      'Wala ka pang 18 taong gulang: kailangang lagyan din ng tsek ng iyong magulang o tagapag-alaga ang kahong ito.',
    agrees: 'Ako si Ana Macaraeg, ang magulang o tagapag-alaga ng mag-aaral na ito',
    submit: 'Isumite ang form',
    done: /^Matagumpay/,
  },
] as const

const names = ['guardianName', 'guardianRelationship', 'guardianContactNumber'] as const
const guardian = {
  guardianName: 'Ana Macaraeg',
  guardianRelationship: 'Mother',
  guardianContactNumber: '0918 765 4321',
}

/** The guardian's fields that are marked as required. */
const starred = (page: PlainPage) =>
  names.filter((name) => textOf(page, `label[for="${name}"]`)?.includes('*'))

let product: Product

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
})
afterAll(() => product.remove())

for (const { locale, why, without, missing, mustAgree, agrees, submit, done } of languages) {
  describe.each([16, 17])(`a student of %d, ${locale}`, (age) => {
    const browse = () => openPlainBrowser(product.url, { 'Accept-Language': locale })

    test('reads it beside the birth date, and a refused form stars the guardian', async () => {
      const { open, press } = browse()
      const form = await open('/register')
      expect(shownText(form)).toContain(without)
      expect(shownText(form)).not.toContain(why)
      expect(starred(form)).toEqual([])
      const answers = leastAnswers(bornYearsAgo(age))
      const refused = await press(form, submit, answers)
      expect(refused.status).toBe(422)
      expect(shownText(refused)).toContain(why)
      expect(textOf(refused, '#guardianRelationship-error')).toBe(missing)
      expect(textOf(refused, '#guardianConsent-error')).toBe(mustAgree)
      expect(starred(refused)).toEqual(names)
      expect(answerOf(refused, 'birthYear')).toBe(answers.birthYear)
      expect(tickedOf(refused, 'guardianConsent')).toEqual([])
      const confirmation = await press(refused, submit, { ...guardian, guardianConsent: true })
      expect(confirmation.address).toBe('/register/confirmation')
      expect(textOf(confirmation, 'article h1')).toMatch(done)
    })

    test('with a guardian who has not agreed is asked for that alone, by name', async () => {
      const { open, press } = browse()
      const answers = leastAnswers({ ...bornYearsAgo(age), ...guardian })
      const refused = await press(await open('/register'), submit, answers)
      expect(textOf(refused, '#guardianConsent-error')).toBe(mustAgree)
      expect(refused.document.querySelectorAll('[id$="-error"]')).toHaveLength(1)
      expect(shownText(refused)).toContain(agrees)
    })
  })
}

test('a student of 18 needs no guardian', async () => {
  const { open, press } = openPlainBrowser(product.url)
  const answers = leastAnswers(bornYearsAgo(18))
  const confirmation = await press(await open('/register'), 'Submit registration', answers)
  expect(confirmation.address).toBe('/register/confirmation')
})

test('a student of 15 is too young, whoever agrees', async () => {
  const { open, press } = openPlainBrowser(product.url)
  const answers = leastAnswers({ ...bornYearsAgo(15), ...guardian })
  const refused = await press(await open('/register'), 'Submit registration', answers)
  expect(textOf(refused, '#dateOfBirth-error')).toBe('You must be at least 16 years old to register.')
  expect(starred(refused)).toEqual([])
})
