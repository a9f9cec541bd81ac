import * as z from 'zod/mini'
import { fieldText } from '#shared/field-rules.ts'
import { isCalendarDate } from '#shared/program-calendar.ts'
import { readReference } from '#shared/students/reference.ts'

// ms
export const studentSessionLimits = { idle: 30 * 60_000, absolute: 2 * 60 * 60_000 }

/** Wrong entries of a reference code and a birth date. Right ones never count. */
export const missLimits = {
  // The limit of one network; a network of SCHOOL_NETWORKS has ten times as many.
  network: { most: 60, withinMs: 10 * 60_000 },
  // The limits of one reference code: `most` an hour, and `inAll` since its last right entry.
  // After that only a slip opens the record.
  code: { most: 5, withinMs: 60 * 60_000, inAll: 20 },
}

/** The code on a slip has so many characters. It is printed in groups of four. */
export const slipLength = 12

/** A slip opens its record for so many days. */
export const slipDays = 180

/**
 * The limits of a mailed code: its digits, the ms that it is valid, its tries, and how many are mailed a day.
 * An address that changed within `newAddressMs` gets none.
 */
export const codeLimits = {
  digits: 6,
  validMs: 10 * 60_000,
  tries: 5,
  aDay: 6,
  newAddressMs: 7 * 24 * 60 * 60_000,
}

export const mySentences = {
  ended: 'Please enter your reference code and birth date again.',
  secondStep: 'Please enter the code that was mailed to you, or the one on your slip.',
  reference: 'Please enter your reference code. It looks like NSTP-7KQ4-M2XD.',
  dateOfBirth: 'Please enter your birth date.',
  wrongBirthDate: 'Please check the birth date: day, month by name, and a year of four digits.',
  notFound: 'We found no record with this reference code and birth date. Please check both.',
  wrongSlip:
    'This slip does not open the record. Please check what you typed, or ask the NSTP office for a new slip.',
  slip: 'Please enter the 12 letters and digits on your slip.',
  code: 'Please enter the six digits of the e-mail.',
  wrongCode: 'This code is wrong, or it is no longer valid.',
  network: 'Too many wrong entries came from this network.',
  moment: 'Many entries come in at the moment. Please try again in a moment.',
  thisHour: 'This reference code was entered with a wrong birth date too often.',
  slipOnly:
    'This reference code was entered with a wrong birth date too often. A slip opens it: ask the NSTP office for one, and bring your school ID.',
} as const

const reference = z.string(mySentences.reference).check(
  z.maxLength(60, mySentences.reference),
  z.overwrite((text) => readReference(text) ?? ''),
  z.minLength(1, mySentences.reference),
)

const birthDate = z.string(mySentences.dateOfBirth).check(
  z.refine((text) => text !== '', { error: mySentences.dateOfBirth, abort: true }),
  z.refine(isCalendarDate, mySentences.wrongBirthDate),
)

/** The first step. */
export const entrySchema = z.strictObject({ reference, dateOfBirth: birthDate })

/** The form of a student who lost the reference code. */
export const lostCodeSchema = z.strictObject({
  lastName: fieldText('lastName'),
  firstName: fieldText('firstName'),
  dateOfBirth: birthDate,
  email: fieldText('email'),
})

/** The second step by a mailed code. */
export const codeSchema = z.strictObject({
  code: z.string(mySentences.code).check(
    z.maxLength(20, mySentences.code),
    z.overwrite((text) => text.replace(/\D/g, '')),
    z.length(codeLimits.digits, mySentences.code),
  ),
})

/** The second step by a slip. Without a first one it needs the reference. */
export const slipSchema = z.strictObject({
  reference: z.optional(reference),
  code: z.string(mySentences.slip).check(
    z.maxLength(60, mySentences.slip),
    z.overwrite((text) => text.toUpperCase().replace(/[^\dA-Z]/g, '')),
    z.length(slipLength, mySentences.slip),
  ),
})
