import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { isEmail, isPhoneNumber } from '#shared/field-rules.ts'
import {
  academicYears,
  bloodTypes,
  civilStatuses,
  courses,
  yearLevelLabels,
} from '#shared/students/student-choices.ts'
import {
  fieldDefinition,
  fieldWords,
  type StudentField,
  studentFieldNames,
} from '#shared/students/student-fields.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { processorMs } from '#tests/setup/processor-time.ts'
import { createRegistrationSchema } from './registration.ts'

const today = '2026-11-20'
const schema = createRegistrationSchema(() => ({ today, courses, academicYears }))

function problemsOf(body: unknown): [path: string, sentence: string][] {
  const { error } = z.safeParse(schema, body)
  return (error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])
}

function problemsWith(overrides: Record<string, unknown>) {
  return problemsOf({ ...buildRegistration(), ...overrides })
}

const required = studentFieldNames.filter((field) => fieldDefinition(field).required)
const optional = studentFieldNames.filter((field) => !fieldDefinition(field).required)

describe('a complete registration', () => {
  test('is accepted as typed, its year level as a number', () => {
    const body = buildRegistration({ yearLevel: '3rd Year' })
    expect(z.parse(schema, body)).toEqual({ ...body, yearLevel: 3 })
  })

  test('loses the spaces around its answers and nothing else', () => {
    const body = buildRegistration({ lastName: '  de  la Peña-Cruz ', workExperience: ' one\n\ttwo \n' })
    expect(z.parse(schema, body)).toMatchObject({
      lastName: 'de  la Peña-Cruz',
      workExperience: 'one\n\ttwo',
    })
  })

  test('accepts names and texts in any script', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (hobbies) => {
        const answer = z.safeParse(schema, buildRegistration({ hobbies }))
        return !answer.success || answer.data.hobbies === hobbies.trim()
      }),
    )
  })
})

describe('required fields', () => {
  test.each(required)('%s must be there and not blank', (field) => {
    const sentence = `Please fill in the ${fieldWords(field)} field.`
    const { [field]: _left, ...without } = buildRegistration()
    expect(problemsOf(without)).toEqual([[field, sentence]])
    expect(problemsWith({ [field]: null })).toEqual([[field, sentence]])
    for (const blank of ['', '   ', '\n', '\u00a0\u3000', '\u200b\u2060']) {
      expect(problemsWith({ [field]: blank })).toEqual([[field, sentence]])
    }
  })

  test('names the field in lower-case words', () => {
    expect(problemsWith({ lastName: '', dateOfBirth: '', nstpComponent: '' })).toEqual([
      ['lastName', 'Please fill in the last name field.'],
      ['dateOfBirth', 'Please fill in the date of birth field.'],
      ['nstpComponent', 'Please fill in the nstp component field.'],
    ])
  })

  test('are all reported at once, in form order, the consent last', () => {
    expect(problemsOf({}).map(([path]) => path)).toEqual([...required, 'consent'])
  })
})

describe('optional fields', () => {
  test('become empty texts when absent', () => {
    const body = Object.fromEntries(
      Object.entries(buildRegistration()).filter(([name]) => !optional.some((field) => field === name)),
    )
    const registration = z.parse(schema, body)
    for (const field of optional) expect(registration[field]).toBe('')
  })

  test.each(optional)('%s may be blank', (field) => {
    expect(problemsWith({ [field]: '  ' })).toEqual([])
  })
})

describe('e-mail', () => {
  test.each(['juan@school.edu.ph', 'j.dela-cruz+nstp@mail.example', 'peña@correo.ph', "o'neil@x.co"])(
    '%s is one',
    (email) => {
      expect(problemsWith({ email })).toEqual([])
    },
  )

  test.each([
    'juan',
    'juan@school',
    '@school.ph',
    'juan@.ph',
    'juan@school.',
    'a b@school.ph',
    'juan@school.ph, maria@school.ph',
    'Juan <juan@school.ph>',
    'juan@@school.ph',
    'juan@school..ph',
    '.juan@school.ph',
    'juan.@school.ph',
  ])('%s is none', (email) => {
    expect(problemsWith({ email })).toEqual([['email', 'Please enter a valid email address.']])
  })

  test('is validated quickly at any length', async () => {
    const taken = await processorMs(() => {
      expect(isEmail(`${'a'.repeat(100_000)}@${'b.'.repeat(100_000)}`)).toBe(false)
      expect(isEmail(`a@${'b.'.repeat(125)}@`)).toBe(false)
    })
    expect(taken).toBeLessThan(100)
  })
})

describe('phone numbers', () => {
  test.each(['09171234567', '+63 917 123 4567', '(046) 416-1234', '911'])('%s is one', (number) => {
    expect(isPhoneNumber(number)).toBe(true)
  })

  test.each(['call me', '0917.123.4567', '0917/123', '123 loc 4', '+', '( )', '０９１７'])(
    '%s is none',
    (number) => {
      expect(problemsWith({ contactNumber: number })).toEqual([
        ['contactNumber', 'Please enter a valid contact number.'],
      ])
      expect(problemsWith({ emergencyContactNumber: number })).toEqual([
        ['emergencyContactNumber', 'Please enter a valid emergency contact number.'],
      ])
    },
  )

  test.each(['N/A', 'none', 'same as the emergency contact'])("%s is accepted for a guardian's", (text) => {
    expect(problemsWith({ guardianContactNumber: text })).toEqual([])
  })

  test('consist of digits, spaces, hyphens, plus signs and parentheses, with a digit among them', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\d +()-]{1,20}$/), (number) => {
        return isPhoneNumber(number) === /\d/.test(number)
      }),
    )
  })
})

describe('age', () => {
  const tooYoung = [['dateOfBirth', 'You must be at least 16 years old to register.']]

  test('of 16 today is enough, a day less is not', () => {
    expect(problemsWith({ dateOfBirth: '2010-11-20', guardianConsent: true })).toEqual([])
    expect(problemsWith({ dateOfBirth: '2010-11-21' })).toEqual(tooYoung)
  })

  test('is counted on the day of the validation, not of the start', () => {
    let day = '2026-11-20'
    const lasting = createRegistrationSchema(() => ({ today: day, courses, academicYears }))
    const body = { ...buildRegistration({ dateOfBirth: '2010-11-21' }), guardianConsent: true }
    expect(z.safeParse(lasting, body).success).toBe(false)
    day = '2026-11-21'
    expect(z.safeParse(lasting, body).success).toBe(true)
  })

  test.each([
    '2026-11-21',
    '1900-01-01',
    '2009-02-29',
    '2007-02-30',
    '14 May 2007',
    '2007-5-14',
    '--',
    '05/14/2007',
  ])('%s is no date of birth', (dateOfBirth) => {
    expect(problemsWith({ dateOfBirth })).toEqual([['dateOfBirth', 'Please enter a valid date of birth.']])
  })
})

describe('choices', () => {
  const offered: [StudentField, readonly string[]][] = [
    ['sex', ['Male', 'Female']],
    ['civilStatus', civilStatuses],
    ['bloodType', bloodTypes],
    ['course', courses],
    ['yearLevel', yearLevelLabels],
    ['academicYear', academicYears],
    ['nstpComponent', ['ROTC', 'CWTS']],
  ]

  test.each(offered)('%s takes %j', (field, choices) => {
    for (const choice of choices) expect(problemsWith({ [field]: choice })).toEqual([])
  })

  test.each([
    ['sex', 'male', 'Please choose one of the listed options for sex.'],
    ['civilStatus', 'Engaged', 'Please choose one of the listed options for civil status.'],
    ['bloodType', 'C+', 'Please choose one of the listed options for blood type.'],
    ['course', 'BSIT', 'Please choose one of the listed options for course.'],
    ['yearLevel', '5th Year', 'Please choose one of the listed options for year level.'],
    ['yearLevel', '1', 'Please choose one of the listed options for year level.'],
    ['academicYear', '2028-2029', 'Please choose one of the listed options for academic year.'],
    ['nstpComponent', 'LTS', 'Please choose one of the listed options for nstp component.'],
    ['nstpComponent', 'ROTC,CWTS', 'Please choose one of the listed options for nstp component.'],
  ])('%s refuses %s', (field, value, sentence) => {
    expect(problemsWith({ [field]: value })).toEqual([[field, sentence]])
  })

  test('of course and academic year follow the offer', () => {
    const other = createRegistrationSchema(() => ({ today, courses: ['BSIT'], academicYears: ['2030-2031'] }))
    const body = buildRegistration({ course: 'BSIT', academicYear: '2030-2031' })
    expect(z.safeParse(other, body).success).toBe(true)
  })
})

describe('the degree program', () => {
  const programs = [
    { course: 'SOICT', name: 'BS Information Technology' },
    { course: 'SOBM', name: 'BS Accountancy' },
  ]
  const problemsAmong = (given: Parameters<typeof buildRegistration>[0]) => {
    const offering = createRegistrationSchema(() => ({ today, courses, academicYears, programs }))
    const { error } = z.safeParse(offering, buildRegistration({ course: 'SOICT', ...given }))
    return (error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])
  }
  const sentence = 'Please choose a degree program of your course, or leave it empty.'

  test('is one of the chosen course, or none', () => {
    expect(problemsAmong({ program: 'BS Information Technology' })).toEqual([])
    expect(problemsAmong({})).toEqual([])
    expect(problemsAmong({ program: 'BS Accountancy' })).toEqual([['program', sentence]])
    expect(problemsAmong({ program: 'Alchemy', sex: '' })).toEqual([
      ['sex', 'Please fill in the sex field.'],
      ['program', sentence],
    ])
  })
})

describe('every text', () => {
  const texts: StudentField[] = ['lastName', 'address', 'religion', 'guardianName', 'college', 'hobbies']

  test.each(texts)('%s has a greatest length', (field) => {
    const { max } = fieldDefinition(field)
    expect(problemsWith({ [field]: 'x'.repeat(max) })).toEqual([])
    expect(problemsWith({ [field]: 'x'.repeat(max + 1) })).toEqual([
      [field, `Please shorten the ${fieldWords(field)} to ${max} characters or fewer.`],
    ])
  })

  test.each(['a\u0000b', 'a\u0007b', 'a\u202eb', 'a\u2066b', 'a\ud800b'])(
    'refuses characters that records and sheets cannot hold (%j)',
    (value) => {
      expect(problemsWith({ lastName: value })).toEqual([
        ['lastName', 'Please remove the unusual characters from the last name field.'],
      ])
      expect(problemsWith({ workExperience: value })).toEqual([
        ['workExperience', 'Please remove the unusual characters from the work experience field.'],
      ])
    },
  )

  test.each([
    'Pe?aflor',
    'PeÃ±a',
    'PEÃ‘A',
    'JosÃ©',
    'Pe\ufffda',
    'Pe&ntilde;a',
    'Pe&#241;a',
    'Pe¤a',
    'MA¥O',
    'Pe├▒a',
  ])('refuses broken letters (%s)', (value) => {
    for (const field of ['lastName', 'middleName', 'address', 'guardianName'])
      expect(problemsWith({ [field]: value })).toEqual([
        [field, 'Please enter this again: a letter is lost or broken, often ñ.'],
      ])
    expect(problemsWith({ hobbies: 'Who?Me' })).toEqual([])
  })

  test.each([
    ['-', '-'],
    ['.', 'N/A'],
    ['none', 'NONE'],
    ['123', '?'],
  ])('a name has one part at least (%s, %s)', (lastName, firstName) => {
    expect(problemsWith({ lastName, firstName })).toEqual([
      ['lastName', 'Please fill in the last name field.'],
    ])
    expect(problemsWith({ lastName, firstName: 'Suharto' })).toEqual([])
    expect(problemsWith({ lastName: 'Suharto', firstName })).toEqual([])
  })

  test.each(['Peña', 'João', 'Why? Not', 'Ã', 'Ñino', 'Müller'])('takes whole letters (%s)', (value) => {
    expect(problemsWith({ lastName: value, address: value })).toEqual([])
  })

  test('contains line breaks only where the form has several lines', () => {
    expect(problemsWith({ workExperience: 'one\r\ntwo', skills: 'a\nb', hobbies: 'c\td' })).toEqual([])
    expect(problemsWith({ address: 'one\ntwo' })).toEqual([
      ['address', 'Please remove the unusual characters from the address field.'],
    ])
  })

  test('is a text', () => {
    expect(problemsWith({ zipCode: 4114 })).toEqual([['zipCode', 'Please send the zip code as text.']])
    expect(problemsWith({ lastName: ['Cruz'] })).toEqual([['lastName', 'Please send the last name as text.']])
  })
})

describe('consent', () => {
  test.each([undefined, false, 'true', 1, null])('%j is none', (consent) => {
    expect(problemsWith({ consent })).toEqual([
      ['consent', 'Please tick the box to agree to the privacy notice.'],
    ])
  })
})

describe('below 18', () => {
  const guardianName = [
    'guardianName',
    'You are under 18: please fill in the name of your parent or guardian.',
  ]
  const guardianRelationship = [
    'guardianRelationship',
    'You are under 18: please fill in how your parent or guardian is related to you.',
  ]
  const guardianContactNumber = [
    'guardianContactNumber',
    'You are under 18: please fill in the contact number of your parent or guardian.',
  ]
  const guardianConsent = [
    'guardianConsent',
    'You are under 18: your parent or guardian must tick this box too.',
  ]

  test.each(['2008-11-21', '2010-11-20'])(
    '(%s) the guardian is named, can be reached and agrees',
    (dateOfBirth) => {
      expect(problemsWith({ dateOfBirth })).toEqual([guardianConsent])
      expect(problemsWith({ dateOfBirth, guardianName: ' ' })).toEqual([guardianName, guardianConsent])
      const none = { guardianName: '', guardianRelationship: ' ', guardianContactNumber: '' }
      expect(problemsWith({ dateOfBirth, ...none })).toEqual([
        guardianName,
        guardianRelationship,
        guardianContactNumber,
        guardianConsent,
      ])
      expect(problemsWith({ dateOfBirth, guardianContactNumber: 'N/A', guardianConsent: true })).toEqual([])
      expect(problemsWith({ dateOfBirth, lastName: '' })).toContainEqual(guardianConsent)
    },
  )

  test('begins the day before the eighteenth birthday', () => {
    const none = { guardianName: '', guardianRelationship: '', guardianContactNumber: '' }
    expect(problemsWith({ dateOfBirth: '2008-11-20', ...none })).toEqual([])
  })

  test('is on paper for imported rows', () => {
    const onPaper = createRegistrationSchema(() => ({ today, courses, academicYears, onPaper: true }))
    const none = { guardianName: '', guardianRelationship: '', guardianContactNumber: '' }
    const body = buildRegistration({ dateOfBirth: '2008-11-21', ...none })
    expect(z.safeParse(onPaper, body).success).toBe(true)
  })
})

describe('anything else', () => {
  test('is refused by name, after the fields', () => {
    expect(problemsWith({ lastName: '', archived: true, coverage: 'CWTS' })).toEqual([
      ['lastName', 'Please fill in the last name field.'],
      ['', 'These fields are not part of the form: archived, coverage.'],
    ])
  })

  test.each([[null], ['text'], [5], [[]], [undefined]])('%j is no registration', (body) => {
    expect(z.safeParse(schema, body).success).toBe(false)
  })
})

test.each([[[]], [null], ['Juan'], [7]])(
  '%j, which is no object, is refused with a description of a registration',
  (body) => {
    expect(problemsOf(body)).toEqual([['', 'A registration is one object with the fields of the form.']])
  },
)
