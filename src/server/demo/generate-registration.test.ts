import { beforeAll, describe, expect, test } from 'vitest'
import { loadPostalCodes } from '#server/features/registration/postal-codes.ts'
import { ageOn } from '#shared/program-calendar.ts'
import { createRegistrationSchema } from '#shared/registration/registration.ts'
import { heightInCentimetres, weightInKilograms } from '#shared/students/measures.ts'
import { academicYears, courses } from '#shared/students/student-choices.ts'
import {
  type GeneratedRegistration,
  generateRegistration,
  loadTowns,
  type Towns,
} from './generate-registration.ts'
import { createRandom } from './random.ts'

const day = '2026-08-03'
let towns: Towns
let generated: GeneratedRegistration[]

function generate(seed: number, count: number): GeneratedRegistration[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, index) =>
    generateRegistration(random, index, { day, academicYear: '2026-2027', towns }),
  )
}

beforeAll(async () => {
  towns = await loadTowns()
  generated = generate(9163, 2_000)
})

describe('generated registrations', () => {
  test('are all valid by the rules of the form', () => {
    const schema = createRegistrationSchema(() => ({ today: day, courses, academicYears }))
    const refused = generated.flatMap((body) => {
      const { error } = schema.safeParse(body)
      return error ? [{ body, issues: error.issues }] : []
    })
    expect(refused).toEqual([])
  })

  test('have ages of students, from sixteen on', () => {
    const ages = generated.map(({ dateOfBirth }) => ageOn(day, dateOfBirth))
    expect(Math.min(...ages)).toBe(16)
    expect(Math.max(...ages)).toBeLessThan(60)
    expect(ages.filter((age) => age < 21).length).toBeGreaterThan(1_600)
  })

  test('have an e-mail address each, at reserved domains', () => {
    const addresses = generated.map(({ email }) => email)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(addresses.filter((address) => !/@(example\.(com|net|org)|\w+\.example)$/.test(address))).toEqual(
      [],
    )
  })

  test.each([
    ['ñ', /ñ/],
    ['a particle', /^(de la|dela|de los|delos|del|de) /i],
    ['a hyphen', /\p{L}-\p{L}/u],
    ['an apostrophe', /\p{L}'\p{L}/u],
    ['a suffix', /\b(Jr\.?|I{2,3}|IV)$/],
    ['two letters', /^\p{L}{2}$/u],
    ['capitals only', /^[\p{Lu} ]{4,}$/u],
  ])('include names with %s', (_what, pattern) => {
    expect(generated.some((body) => pattern.test(body.lastName) || pattern.test(body.firstName))).toBe(true)
  })

  test('have towns of the Philippines with their ZIP code', async () => {
    const zipCodes = new Set((await loadPostalCodes()).map(({ zipCode }) => zipCode))
    const filled = generated.filter(({ zipCode }) => zipCode !== '')
    expect(filled.length).toBeGreaterThan(1_500)
    expect(filled.filter(({ zipCode }) => !zipCodes.has(zipCode))).toEqual([])
  })

  test('write heights and weights in many formats, some of them unreadable', () => {
    const heights = generated.map(({ height }) => height).filter((text) => text !== '')
    const read = heights.filter((text) => heightInCentimetres(text) !== undefined)
    expect(read.length / heights.length).toBeGreaterThan(0.9)
    expect(read.length).toBeLessThan(heights.length)
    const weights = generated.map(({ weight }) => weight).filter((text) => text !== '')
    expect(weights.filter((text) => weightInKilograms(text) !== undefined).length).toBeGreaterThan(1_200)
  })

  test('are of both components and all courses', () => {
    expect(new Set(generated.map(({ nstpComponent }) => nstpComponent))).toEqual(new Set(['ROTC', 'CWTS']))
    expect(new Set(generated.map(({ course }) => course))).toEqual(new Set(courses))
  })

  test('are the same for the same seed, and differ for another', () => {
    expect(generate(7, 20)).toEqual(generate(7, 20))
    expect(generate(8, 20)).not.toEqual(generate(7, 20))
  })
})
